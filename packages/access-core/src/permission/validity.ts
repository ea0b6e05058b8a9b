import type { Validity } from '../access-data-types.ts';
import type { Instant } from '../instant.ts';

/** `unknown`: there is a limit, and the time is untrusted. */
export type ValidityResult = 'inside' | 'not_started' | 'ended' | 'unknown';

/** The start is inclusive, the end exclusive. `now` is null while the time is untrusted. */
export const checkValidity = ({ starts_at, ends_at }: Validity, now: Instant | null): ValidityResult => {
  if (starts_at === null && ends_at === null) return 'inside';
  if (now === null) return 'unknown';
  if (starts_at !== null && !(now >= starts_at)) return 'not_started';
  if (ends_at !== null && !(now < ends_at)) return 'ended';
  return 'inside';
};
