import type { HealthBaseline } from './update-slot-state.ts';

export interface CurrentProgramHealth extends HealthBaseline {
  /** The event loop keeps up with its work. */
  readonly isResponsive: boolean;
  /** The program has reported that it is ready, and serves requests. */
  readonly isReady: boolean;
}

/** Reasons against a new version: it is not ready, or something is worse than before the update. */
export const listHealthRegressions = (now: CurrentProgramHealth, before: HealthBaseline | null): readonly string[] => {
  const known = new Set(before?.faults);
  const worse = now.faults.filter(code => !known.has(code));
  return [
    ...(now.isReady ? [] : ['ready: the program is not ready']),
    ...(now.isResponsive ? [] : ['work: the program does not respond in time']),
    ...worse.map(code => `fault: ${code}`),
    ...(before?.online === true && !now.online ? ['bridge: reachable before the update, unreachable now'] : []),
  ];
};
