import { addMilliseconds, type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import {
  encodeOsdpProbe,
  finishOsdpProbe,
  isOsdpReplacementMissing,
  isProbeReply,
  type OsdpAddressProbe,
} from './address-probe.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import type { OsdpCommand } from './encode-osdp-command.ts';
import type { ReceivedOsdpPacket } from './packet.ts';
import { stepOsdpPeripheral } from './peripheral-state-machine.ts';
import type {
  OsdpPeripheralEffect,
  OsdpPeripheralInput,
  OsdpPeripheralSetup,
  OsdpPeripheralState,
  OsdpReplacementWindow,
} from './peripheral-state-types.ts';

const RESPONSE_MS = 200;
/** A packet may pause this long between bytes. */
const BYTE_PAUSE_MS = 50;
const LONGEST_RESPONSE_MS = 400;

export interface OsdpBusSetup {
  readonly peripherals: readonly OsdpPeripheralSetup[];
  /** Transmission time of one byte. */
  readonly byte_ms: number;
}

export interface OsdpBusState {
  readonly peripherals: readonly OsdpPeripheralState[];
  /** The peripheral whose reply is awaited; its place is null for a probe. Only one may transmit at a time. */
  readonly waiting: {
    readonly place: number | null;
    readonly until: MonotonicTime;
    readonly latest: MonotonicTime;
  } | null;
  readonly probe: OsdpAddressProbe;
  readonly line_up: boolean;
  /** The last command got no reply. */
  readonly after_silence: boolean;
}

export type OsdpBusInput =
  | { readonly type: 'timer'; readonly has_heard_damage: boolean }
  | { readonly type: 'bytes' }
  | { readonly type: 'packet'; readonly packet: ReceivedOsdpPacket }
  | { readonly type: 'command'; readonly place: number; readonly command: OsdpCommand }
  | { readonly type: 'line'; readonly fault: PartFault | null }
  | { readonly type: 'key_not_kept'; readonly place: number }
  | { readonly type: 'replace'; readonly place: number; readonly window: OsdpReplacementWindow | null };

export type OsdpBusEffect =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  | {
      readonly type: 'peripheral_effect';
      readonly place: number;
      readonly effect: Exclude<OsdpPeripheralEffect, { type: 'send' | 'answered' }>;
    };

export interface OsdpBusStep {
  readonly state: OsdpBusState;
  readonly effects: readonly OsdpBusEffect[];
}

const awaitReply = (
  { byte_ms }: OsdpBusSetup,
  place: number | null,
  bytes: Uint8Array,
  now: MonotonicTime,
): OsdpBusState['waiting'] => {
  const sent = now + bytes.length * byte_ms;
  return { place, until: monotonic(sent + RESPONSE_MS), latest: monotonic(sent + LONGEST_RESPONSE_MS) };
};

const finishProbe = (
  { peripherals }: OsdpBusSetup,
  state: OsdpBusState,
  hasAnswered: boolean,
  now: MonotonicTime,
): OsdpBusStep => ({
  state: { ...state, waiting: null, probe: finishOsdpProbe(state.probe, peripherals, hasAnswered, now) },
  effects: [],
});

const stepOne = (
  { state, effects }: OsdpBusStep,
  setup: OsdpBusSetup,
  place: number,
  input: OsdpPeripheralInput,
  now: MonotonicTime,
): OsdpBusStep => {
  const step = stepOsdpPeripheral(setup.peripherals[place]!, state.peripherals[place]!, input, now);
  let waiting = state.waiting;
  const all = [...effects];
  for (const effect of step.effects) {
    if (effect.type === 'send') {
      waiting = awaitReply(setup, place, effect.bytes, now);
      all.push(effect);
    } else if (effect.type === 'answered') waiting = null;
    else all.push({ type: 'peripheral_effect', place, effect });
  }
  return { state: { ...state, peripherals: state.peripherals.with(place, step.state), waiting }, effects: all };
};

const stepAll = (step: OsdpBusStep, setup: OsdpBusSetup, input: OsdpPeripheralInput, now: MonotonicTime): OsdpBusStep =>
  setup.peripherals.reduce((sofar, _, place) => stepOne(sofar, setup, place, input, now), step);

const taken = (setup: OsdpBusSetup, state: OsdpBusState, input: OsdpBusInput, now: MonotonicTime): OsdpBusStep => {
  const { waiting } = state;
  const step: OsdpBusStep = { state, effects: [] };
  switch (input.type) {
    case 'timer':
      if (waiting === null || now < waiting.until) return step;
      if (waiting.place === null) return finishProbe(setup, { ...state, after_silence: true }, false, now);
      return stepOne(
        { state: { ...state, waiting: null, after_silence: true }, effects: [] },
        setup,
        waiting.place,
        { type: 'silence', has_heard_damage: input.has_heard_damage },
        now,
      );
    case 'bytes': {
      if (waiting === null) return step;
      const until = monotonic(Math.min(waiting.latest, Math.max(waiting.until, addMilliseconds(now, BYTE_PAUSE_MS))));
      return { state: { ...state, waiting: { ...waiting, until } }, effects: [] };
    }
    case 'packet':
      if (waiting === null) return step;
      if (waiting.place !== null) return stepOne(step, setup, waiting.place, input, now);
      return isProbeReply(state.probe, input.packet) ? finishProbe(setup, state, true, now) : step;
    case 'command':
      return stepOne(step, setup, input.place, { type: 'command', command: input.command }, now);
    case 'key_not_kept':
      return stepOne(step, setup, input.place, { type: 'key_not_kept' }, now);
    case 'replace':
      return stepOne(step, setup, input.place, { type: 'replace', window: input.window }, now);
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

/** The peripheral that has waited longest; after a timeout, first one that replies. */
const next = ({ peripherals, after_silence }: OsdpBusState, now: MonotonicTime): number => {
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

/** Polls the readers of one RS-485 line in turn. */
export const stepOsdpBus = (
  setup: OsdpBusSetup,
  state: OsdpBusState,
  input: OsdpBusInput,
  now: MonotonicTime,
): OsdpBusStep => {
  let step = taken(setup, state, input, now);
  while (step.state.line_up && step.state.waiting === null) {
    const place = next(step.state, now);
    if (place === -1) {
      const { peripherals } = step.state;
      const missing = setup.peripherals.find((_, at) => isOsdpReplacementMissing(peripherals[at]!, now));
      if (missing === undefined || step.state.probe.due_at > now) break;
      const bytes = encodeOsdpProbe(step.state.probe.address, missing.crc);
      const waiting = awaitReply(setup, null, bytes, now);
      step = {
        state: { ...step.state, after_silence: false, waiting },
        effects: [...step.effects, { type: 'send', bytes }],
      };
      break;
    }
    step = stepOne({ ...step, state: { ...step.state, after_silence: false } }, setup, place, { type: 'turn' }, now);
  }
  return step;
};

/** When the next `timer` is due; null while the line is down. */
export const nextOsdpBusDeadline = (
  { line_up, waiting, peripherals, probe }: OsdpBusState,
  now: MonotonicTime,
): MonotonicTime | null => {
  if (!line_up || peripherals.length === 0) return null;
  if (waiting !== null) return waiting.until;
  const isProbing = peripherals.some(one => isOsdpReplacementMissing(one, now));
  return monotonic(Math.min(...peripherals.map(({ due_at }) => due_at), ...(isProbing ? [probe.due_at] : [])));
};
