import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { PartFault } from '../ports/part-fault.ts';
import type { PeripheralEffect, PeripheralState, PeripheralStep } from './peripheral-model.ts';

const PROBE_MS = 1_000;
const AGAIN_MS = 20;
const REFUSED_MS = 2_000;
const MOST_FAILURES = 3;

const sameFault = (a: PartFault | null, b: PartFault | null): boolean =>
  a?.kind === b?.kind && a?.message === b?.message;

/** The state with this fault, and the telling of it when it is news. */
export const withFault = (
  state: PeripheralState,
  fault: PartFault | null,
  effects: readonly PeripheralEffect[] = [],
): PeripheralStep =>
  sameFault(state.fault, fault)
    ? { state, effects }
    : { state: { ...state, fault }, effects: [...effects, { type: 'fault', fault }] };

/** Sequence number 0 tells the reader to forget what was before. */
const begunAnew = (state: PeripheralState, due_at: Monotonic): PeripheralState => ({
  ...state,
  phase: { name: 'greet' },
  sequence: 0,
  session: null,
  in_flight: null,
  busy_since: null,
  due_at,
});

const putOut = (state: PeripheralState, due_at: Monotonic): PeripheralState => ({
  ...begunAnew(state, due_at),
  online: false,
  // What was asked of it then is not wanted any more when it is back.
  queue: [],
  questions: [],
});

/** It does not answer, or its line is gone. */
export const lost = (
  state: PeripheralState,
  fault: PartFault,
  now: Monotonic,
  effects: readonly PeripheralEffect[] = [],
): PeripheralStep => withFault({ ...putOut(state, after(now, PROBE_MS)), failures: 0 }, fault, effects);

/** It answers, but not as it should. Until it has done so three times in a row it is only asked again. */
export const failedSession = (
  state: PeripheralState,
  message: string,
  now: Monotonic,
  effects: readonly PeripheralEffect[] = [],
): PeripheralStep => {
  const failures = state.failures + 1;
  if (failures < MOST_FAILURES) return { state: { ...begunAnew(state, after(now, AGAIN_MS)), failures }, effects };
  const out = { ...putOut(state, after(now, REFUSED_MS)), failures };
  return withFault(out, { kind: 'broken', message }, effects);
};
