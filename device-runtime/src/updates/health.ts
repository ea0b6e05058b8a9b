import type { Health } from './slot-machine.ts';

/** How it is now. */
export interface HealthNow extends Health {
  /** The loop turns and does its work in time. */
  readonly isWell: boolean;
  /** Its page is served, and it has said that it is ready. */
  readonly isReady: boolean;
}

/** Come and go with the world around a controller, whatever program it runs. */
const OUTER_FAULTS = /^(?:tamper|clock_refused|slice_old|slice_refused|event_buffer_full|claimed_anew|update)(?::|$)/;

/** What speaks against a new version: it is not ready, or something is worse than it was under the old one. */
export const objectionsTo = (now: HealthNow, before: Health | null): readonly string[] => {
  const known = new Set(before?.faults);
  const worse = now.faults.filter(code => !known.has(code) && !OUTER_FAULTS.test(code));
  return [
    ...(now.isReady ? [] : ['ready: the door is not ready']),
    ...(now.isWell ? [] : ['door: its work is not done in time']),
    ...worse.map(code => `fault: ${code}`),
    ...(before?.online === true && !now.online ? ['bridge: it was reached before and is not now'] : []),
  ];
};
