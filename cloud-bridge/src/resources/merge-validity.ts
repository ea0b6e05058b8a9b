import { mustNotBeBefore } from '@lintel/access-core/problem-texts';
import { type DateTime, toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import { createInvalidFieldError } from '../http/api-error.ts';

export interface ValidityPeriod {
  readonly starts_at: number | null;
  readonly ends_at: number | null;
}

interface ValidityEdit {
  readonly starts_at?: DateTime | null | undefined;
  readonly ends_at?: DateTime | null | undefined;
}

export const toInstantOrNull = (time: DateTime | null): number | null => (time === null ? null : toInstant(time));

/** The period after a PATCH. Throws 400 for an end before the start. */
export const mergeValidity = (row: ValidityPeriod, { starts_at, ends_at }: ValidityEdit): ValidityPeriod => {
  const starts = starts_at === undefined ? row.starts_at : toInstantOrNull(starts_at);
  const ends = ends_at === undefined ? row.ends_at : toInstantOrNull(ends_at);
  if (starts !== null && ends !== null && ends < starts) {
    throw createInvalidFieldError(
      ends_at === undefined ? 'starts_at' : 'ends_at',
      ends_at === undefined ? "must not be after 'ends_at'" : mustNotBeBefore('starts_at'),
    );
  }
  return { starts_at: starts, ends_at: ends };
};

/** Whether a member loses access by the edit: it ends earlier or starts later. */
export const isShortened = (before: ValidityPeriod, after: ValidityPeriod): boolean =>
  (after.ends_at !== null && (before.ends_at === null || after.ends_at < before.ends_at)) ||
  (after.starts_at !== null && (before.starts_at === null || after.starts_at > before.starts_at));
