import type { Brand } from '@lintel/access-core/brand';
import { formatInstant, type Instant, instant, parseInstant } from '@lintel/access-core/instant';
import { ok } from '@lintel/access-core/result';
import * as z from 'zod';
import { fromParser } from './from-parser.ts';

/** ISO 8601 in UTC with milliseconds, so that the order of the strings is the order of the instants. */
export type DateTime = Brand<string, 'DateTime'>;

export const dateTimeOf = (at: Instant): DateTime => formatInstant(at) as DateTime;

export const instantOf = (text: DateTime): Instant => instant(Date.parse(text));

/** Any offset comes in, UTC comes out. */
export const dateTime: z.ZodType<DateTime, DateTime> = fromParser(
  z.string().meta({ format: 'date-time' }),
  (value, path) => {
    const parsed = parseInstant(value, path);
    return parsed.ok ? ok(dateTimeOf(parsed.value)) : parsed;
  },
);

/** Finer than a millisecond, kept as it was written. */
export const fineDateTime: z.ZodType<string, string> = fromParser(
  z.string().meta({ format: 'date-time' }),
  (value, path) => {
    const parsed = parseInstant(value, path);
    return parsed.ok ? ok(value as string) : parsed;
  },
);

interface ValidityFields {
  readonly starts_at?: DateTime | null | undefined;
  readonly ends_at?: DateTime | null | undefined;
}

/** Equal ends are allowed: such a period is empty. */
export const endsNotBeforeStart = (payload: z.core.ParsePayload<ValidityFields>): void => {
  const { starts_at, ends_at } = payload.value;
  if (!starts_at || !ends_at || ends_at >= starts_at) return;
  payload.issues.push({
    code: 'custom',
    input: payload.value,
    path: ['ends_at'],
    message: 'must not be before starts_at',
    params: { code: 'ends_before_start' },
  });
};
