import type { RolloutResponse } from '@lintel/wire-protocol/admin/rollout';

export interface RolloutCounts {
  readonly total: number;
  readonly confirmed: number;
  readonly failed: number;
}

/** How many devices run the release, and how many could not install it. */
export const countRolloutProgress = ({ progress }: Pick<RolloutResponse, 'progress'>): RolloutCounts => {
  const countOf = (...states: readonly string[]): number =>
    states.reduce((sum, state) => sum + (progress[state] ?? 0), 0);
  return {
    total: Object.values(progress).reduce((sum, count) => sum + count, 0),
    confirmed: countOf('confirmed'),
    failed: countOf('rolled_back', 'failed'),
  };
};

type StatusLevel = 'ok' | 'warning' | 'error' | 'neutral';

const levels: Readonly<Record<string, StatusLevel>> = {
  running: 'ok',
  paused: 'warning',
  halted: 'error',
  done: 'ok',
  confirmed: 'ok',
  rolled_back: 'error',
  failed: 'error',
};

/** For the state of a roll-out or of a device in it. */
export const selectRolloutStatusLevel = (state: string): StatusLevel => levels[state] ?? 'neutral';
