import type { Health } from './slot-machine.ts';

/** How it is now. */
export interface HealthNow extends Health {
  /** The loop turns and does its work in time. */
  readonly isWell: boolean;
  /** Whoever comes to it is served, and it has said that it is ready. */
  readonly isReady: boolean;
}

/** What speaks against a new version: it is not ready, or something is worse than it was under the old one. */
export const objectionsTo = (now: HealthNow, before: Health | null): readonly string[] => {
  const known = new Set(before?.faults);
  const worse = now.faults.filter(code => !known.has(code));
  return [
    ...(now.isReady ? [] : ['ready: it is not ready']),
    ...(now.isWell ? [] : ['work: it is not done in time']),
    ...worse.map(code => `fault: ${code}`),
    ...(before?.online === true && !now.online ? ['bridge: it was reached before and is not now'] : []),
  ];
};
