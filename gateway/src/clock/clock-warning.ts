import { DAY_MS } from '@lintel/access-core/durations';
import { EARLIEST_CREDIBLE_TIME } from './gateway-clock.ts';

const formatTime = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

/**
 * A saved time far ahead of a credible system clock makes every certificate look expired, so that the gateway never reaches the
 * bridge, which would correct it. Null unless that may be the case.
 */
export const describeClockWarning = (saved: number, system: number, isTrusted: boolean): string | null => {
  if (isTrusted || system < EARLIEST_CREDIBLE_TIME || saved - system <= DAY_MS) return null;
  const days = Math.floor((saved - system) / DAY_MS);
  return (
    `The saved time (${formatTime(saved)} UTC) is ${days} days ahead of the system clock (${formatTime(system)} UTC), and ` +
    'the bridge has not confirmed either: certificates may look expired, and the gateway then stays offline. If the system ' +
    'clock is right, stop the gateway, remove gateway/time-floor.json from its data folder and start it. Otherwise set the ' +
    'system clock.'
  );
};
