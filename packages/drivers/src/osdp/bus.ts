import { after, type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { PartFault } from '../ports/part-fault.ts';
import type { Command } from './commands.ts';
import type { ReceivedPacket } from './packet.ts';
import { stepPeripheral } from './peripheral.ts';
import type { PeripheralEffect, PeripheralInput, PeripheralSetup, PeripheralState } from './peripheral-model.ts';

const ANSWER_MS = 200;
/** A packet that has begun may end so long after its last byte. */
const BYTE_PAUSE_MS = 50;
const LONGEST_ANSWER_MS = 400;

export interface BusSetup {
  readonly peripherals: readonly PeripheralSetup[];
  /** How long one byte takes on the wire. */
  readonly byte_ms: number;
}

export interface BusState {
  readonly peripherals: readonly PeripheralState[];
  /** Who has the word. There is one line, and only one may speak. */
  readonly waiting: { readonly place: number; readonly until: Monotonic; readonly latest: Monotonic } | null;
  readonly line_up: boolean;
  /** Somebody has just held up the others for nothing. */
  readonly after_silence: boolean;
}

export type BusInput =
  | { readonly type: 'timer'; readonly has_heard_damage: boolean }
  | { readonly type: 'bytes' }
  | { readonly type: 'packet'; readonly packet: ReceivedPacket }
  | { readonly type: 'command'; readonly place: number; readonly command: Command }
  | { readonly type: 'line'; readonly fault: PartFault | null }
  | { readonly type: 'key_not_kept'; readonly place: number };

export type BusEffect =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  | {
      readonly type: 'told';
      readonly place: number;
      readonly effect: Exclude<PeripheralEffect, { type: 'send' | 'answered' }>;
    };

export interface BusStep {
  readonly state: BusState;
  readonly effects: readonly BusEffect[];
}

const stepOne = (
  { state, effects }: BusStep,
  setup: BusSetup,
  place: number,
  input: PeripheralInput,
  now: Monotonic,
): BusStep => {
  const step = stepPeripheral(setup.peripherals[place]!, state.peripherals[place]!, input, now);
  let waiting = state.waiting;
  const all = [...effects];
  for (const effect of step.effects) {
    if (effect.type === 'send') {
      const sent = now + effect.bytes.length * setup.byte_ms;
      waiting = { place, until: monotonic(sent + ANSWER_MS), latest: monotonic(sent + LONGEST_ANSWER_MS) };
      all.push(effect);
    } else if (effect.type === 'answered') waiting = null;
    else all.push({ type: 'told', place, effect });
  }
  return { state: { ...state, peripherals: state.peripherals.with(place, step.state), waiting }, effects: all };
};

const stepAll = (step: BusStep, setup: BusSetup, input: PeripheralInput, now: Monotonic): BusStep =>
  setup.peripherals.reduce((sofar, _, place) => stepOne(sofar, setup, place, input, now), step);

const taken = (setup: BusSetup, state: BusState, input: BusInput, now: Monotonic): BusStep => {
  const { waiting } = state;
  const step: BusStep = { state, effects: [] };
  switch (input.type) {
    case 'timer':
      if (waiting === null || now < waiting.until) return step;
      return stepOne(
        { state: { ...state, waiting: null, after_silence: true }, effects: [] },
        setup,
        waiting.place,
        { type: 'silence', has_heard_damage: input.has_heard_damage },
        now,
      );
    case 'bytes': {
      if (waiting === null) return step;
      const until = monotonic(Math.min(waiting.latest, Math.max(waiting.until, after(now, BYTE_PAUSE_MS))));
      return { state: { ...state, waiting: { ...waiting, until } }, effects: [] };
    }
    case 'packet':
      return waiting === null ? step : stepOne(step, setup, waiting.place, input, now);
    case 'command':
      return stepOne(step, setup, input.place, { type: 'command', command: input.command }, now);
    case 'key_not_kept':
      return stepOne(step, setup, input.place, { type: 'key_not_kept' }, now);
    case 'line': {
      const line = { state: { ...state, line_up: input.fault === null, waiting: null }, effects: [] };
      return stepAll(
        line,
        setup,
        input.fault === null ? { type: 'line_back' } : { type: 'line_lost', fault: input.fault },
        now,
      );
    }
  }
};

/** Whoever has waited longest; after a silence, first one of those that do answer. */
const next = ({ peripherals, after_silence }: BusState, now: Monotonic): number => {
  let longest = -1;
  let lively = -1;
  for (const [place, { due_at, heard_at, in_flight }] of peripherals.entries()) {
    if (due_at > now) continue;
    if (longest === -1 || due_at < peripherals[longest]!.due_at) longest = place;
    if (in_flight !== null || heard_at === null) continue;
    if (lively === -1 || heard_at > peripherals[lively]!.heard_at!) lively = place;
  }
  return after_silence && lively !== -1 ? lively : longest;
};

/** The readers of one RS-485 line, one after the other. */
export const stepBus = (setup: BusSetup, state: BusState, input: BusInput, now: Monotonic): BusStep => {
  let step = taken(setup, state, input, now);
  while (step.state.line_up && step.state.waiting === null) {
    const place = next(step.state, now);
    if (place === -1) break;
    step = stepOne({ ...step, state: { ...step.state, after_silence: false } }, setup, place, { type: 'turn' }, now);
  }
  return step;
};

/** When the next `timer` is due; null while the line is away. */
export const nextBusDeadline = ({ line_up, waiting, peripherals }: BusState): Monotonic | null => {
  if (!line_up || peripherals.length === 0) return null;
  return waiting?.until ?? monotonic(Math.min(...peripherals.map(({ due_at }) => due_at)));
};
