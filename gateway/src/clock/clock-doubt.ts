import { EARLIEST } from './site-clock.ts';

const DAY_MS = 86_400_000;

const shown = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

/**
 * Kept time that is ahead of a credible system's clock, and that the bridge has not confirmed: by it every certificate may
 * look expired, and then the bridge, which would set it right, is not reached. Null when nothing is wrong.
 */
export const clockDoubt = (kept: number, system: number, isTrusted: boolean): string | null => {
  if (isTrusted || system < EARLIEST || kept - system <= DAY_MS) return null;
  const days = Math.floor((kept - system) / DAY_MS);
  return (
    `The time that was kept (${shown(kept)} UTC) is ${days} days ahead of the system's clock (${shown(system)} UTC), and ` +
    'the bridge has not said which is right: certificates may look expired, and the line then stays down. If the system ' +
    'is right, stop the gateway, remove gateway/time-floor.json from its data folder and start it; if not, set its clock.'
  );
};
