import type { BrandedType } from '@lintel/access-core/branded-type';
import { formatInstant, type Instant, instant, parseInstant } from '@lintel/access-core/instant';
import { mustNotBeBefore } from '@lintel/access-core/problem-texts';
import { ok } from '@lintel/access-core/result';
import * as z from 'zod';
import { createFieldsCheck } from './fields-check.ts';
import { schemaFromParser } from './schema-from-parser.ts';

/** ISO 8601 in UTC with milliseconds, so that strings sort like instants. */
export type DateTime = BrandedType<string, 'DateTime'>;

export const toDateTime = (at: Instant): DateTime => formatInstant(at) as DateTime;

/** `at` is a column with milliseconds since 1970. */
export const toDateTimeOrNull = (at: number | null): DateTime | null => (at === null ? null : toDateTime(instant(at)));

export const toInstant = (text: DateTime): Instant => instant(Date.parse(text));

/** Accepts any offset, returns UTC. */
export const dateTimeSchema: z.ZodType<DateTime, DateTime> = schemaFromParser(
  z.string().meta({ format: 'date-time' }),
  (value, path) => {
    const parsed = parseInstant(value, path);
    return parsed.ok ? ok(toDateTime(parsed.value)) : parsed;
  },
);

/** With microseconds, kept as written. */
export const microsecondDateTimeSchema: z.ZodType<string, string> = schemaFromParser(
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

/** Equal times are allowed: such a period is empty. */
export const checkEndNotBeforeStart = createFieldsCheck<ValidityFields>(
  ['starts_at', 'ends_at'],
  ({ value: { starts_at, ends_at }, issues }) => {
    if (!starts_at || !ends_at || ends_at >= starts_at) return;
    const message = mustNotBeBefore('starts_at');
    issues.push({ code: 'custom', input: ends_at, path: ['ends_at'], message, params: { code: 'ends_before_start' } });
  },
);
