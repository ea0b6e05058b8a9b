import { checkDecisions } from './check-decisions.ts';
import { checkEvents } from './check-events.ts';
import type { RoundHistory, Violation } from './round-history-types.ts';

/** All violations of the promises in one round. */
export const checkHistory = (history: RoundHistory): Violation[] => [
  ...checkDecisions(history),
  ...checkEvents(history),
  ...history.lostWrites.map(detail => ({ kind: 'write_lost' as const, detail })),
  ...history.crashes.map(detail => ({ kind: 'part_ended' as const, detail })),
  ...history.doors.flatMap(({ door, problem, isUnlocked }): Violation[] => [
    ...(problem === null ? [] : [{ kind: 'not_converged' as const, detail: `${door}: ${problem}` }]),
    ...(isUnlocked ? [{ kind: 'not_relocked' as const, detail: door }] : []),
  ]),
];
