import type { Validity } from '../access-model.ts';
import type { Instant } from '../instant.ts';

/** `unknown`: there is a limit, and nobody knows the time. */
export type ValidityVerdict = 'inside' | 'not_started' | 'ended' | 'unknown';

/** The start belongs to the period, the end does not. `now` is null while the time is not known. */
export const checkValidity = ({ starts_at, ends_at }: Validity, now: Instant | null): ValidityVerdict => {
  if (starts_at === null && ends_at === null) return 'inside';
  if (now === null) return 'unknown';
  if (starts_at !== null && !(now >= starts_at)) return 'not_started';
  if (ends_at !== null && !(now < ends_at)) return 'ended';
  return 'inside';
};
