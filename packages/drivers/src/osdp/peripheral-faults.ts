import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { PartFault } from '../interfaces/part-fault.ts';
import type { OsdpPeripheralEffect, OsdpPeripheralState, OsdpPeripheralStep } from './peripheral-state-types.ts';

const PROBE_MS = 1_000;
const AGAIN_MS = 20;
const REFUSED_MS = 2_000;
const MOST_FAILURES = 3;

const sameFault = (a: PartFault | null, b: PartFault | null): boolean =>
  a?.kind === b?.kind && a?.message === b?.message;

/** Sets the fault, and reports it if it changed. */
export const setOsdpPeripheralFault = (
  state: OsdpPeripheralState,
  fault: PartFault | null,
  effects: readonly OsdpPeripheralEffect[] = [],
): OsdpPeripheralStep =>
  sameFault(state.fault, fault)
    ? { state, effects }
    : { state: { ...state, fault }, effects: [...effects, { type: 'fault', fault }] };

/** Sequence number 0 resets the reader. */
const restartSession = (state: OsdpPeripheralState, due_at: MonotonicTime): OsdpPeripheralState => ({
  ...state,
  phase: { name: 'greet' },
  sequence: 0,
  session: null,
  in_flight: null,
  busy_since: null,
  due_at,
});

const takeOffline = (state: OsdpPeripheralState, due_at: MonotonicTime): OsdpPeripheralState => ({
  ...restartSession(state, due_at),
  online: false,
  // Commands from before the outage are obsolete.
  queue: [],
  questions: [],
});

/** The reader does not reply, or its line is down. */
export const markOsdpPeripheralLost = (
  state: OsdpPeripheralState,
  fault: PartFault,
  now: MonotonicTime,
  effects: readonly OsdpPeripheralEffect[] = [],
): OsdpPeripheralStep =>
  setOsdpPeripheralFault({ ...takeOffline(state, addMilliseconds(now, PROBE_MS)), failures: 0 }, fault, effects);

/** The reader replies incorrectly. It is retried until the third failure in a row. */
export const recordOsdpSessionFailure = (
  state: OsdpPeripheralState,
  message: string,
  now: MonotonicTime,
  effects: readonly OsdpPeripheralEffect[] = [],
): OsdpPeripheralStep => {
  const failures = state.failures + 1;
  if (failures < MOST_FAILURES)
    return { state: { ...restartSession(state, addMilliseconds(now, AGAIN_MS)), failures }, effects };
  const out = { ...takeOffline(state, addMilliseconds(now, REFUSED_MS)), failures };
  return setOsdpPeripheralFault(out, { kind: 'broken', message }, effects);
};
