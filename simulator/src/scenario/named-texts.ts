import * as z from 'zod';
import { durationOf, isTime, timeWords } from './scenario-time.ts';
import { weeklyHours } from './weekly-hours.ts';

/** What a file calls somebody or something. */
export const name = z.string().min(1).max(64);

export const time = z.string().refine(isTime, { error: timeWords });

export const duration = z
  .string()
  .refine(text => durationOf(text) !== null, { error: 'must be a duration such as "90s", "8h" or "1d2h"' });

export const keys = z.string().regex(/^[0-9*#]{1,64}$/, { error: 'must be keys of a keypad: 0-9, * and #' });

export const pin = z.string().regex(/^\d{4,20}$/, { error: 'must be 4 to 20 digits' });

export const uid = z.string().regex(/^(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/, {
  error: 'must be 4, 7 or 10 bytes in lower-case hexadecimal',
});

export const weekly = z.string().refine(text => weeklyHours(text) !== null, {
  error: 'must be hours of the week such as "Mon-Fri 08:00-18:00, Sat 10:00-14:00"',
});
