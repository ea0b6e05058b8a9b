import type { Bit } from './wiegand-frame.ts';

export interface Pulse {
  readonly bit: Bit;
  /** Milliseconds, as the kernel saw it. */
  readonly at_ms: number;
  /** Counts all edges of both lines. */
  readonly sequence: number;
}

export interface WiegandState {
  readonly bits: readonly Bit[];
  readonly at_ms: number;
  readonly sequence: number;
  /** A bit was lost, or no reader sends like this: the end is waited for, and all of it is dropped. */
  readonly isSpoilt: boolean;
}

export const noPulses: WiegandState = { bits: [], at_ms: -Infinity, sequence: 0, isSpoilt: false };

/** Bits come about 2 ms apart, frames much further. */
export const FRAME_GAP_MS = 25;
/** No reader sends so fast: both lines fall together when their ground is lost. */
const SHORTEST_GAP_MS = 0.1;
const LONGEST = 64;

const wholeFrame = ({ bits, isSpoilt }: WiegandState): readonly Bit[] | null =>
  isSpoilt || bits.length === 0 ? null : bits;

export interface WiegandStep {
  readonly state: WiegandState;
  /** What this input has ended. */
  readonly frame: readonly Bit[] | null;
  /** Something has ended that was no frame. */
  readonly hasDropped: boolean;
}

export const takePulse = (state: WiegandState, { bit, at_ms, sequence }: Pulse): WiegandStep => {
  const gap = at_ms - state.at_ms;
  const isNew = gap >= FRAME_GAP_MS;
  const isLost = state.sequence !== 0 && sequence !== state.sequence + 1;
  const isFull = !isNew && state.bits.length >= LONGEST;
  const next = {
    bits: isNew ? [bit] : isFull ? state.bits : [...state.bits, bit],
    at_ms,
    sequence,
    // Nobody knows in which of two frames the lost one was: neither is taken.
    isSpoilt: isLost || isFull || gap < SHORTEST_GAP_MS || (!isNew && state.isSpoilt),
  };
  const frame = isNew && !isLost ? wholeFrame(state) : null;
  return { state: next, frame, hasDropped: isNew && state.bits.length > 0 && frame === null };
};

/** Nothing has come for a while. Everything that the kernel has must have been taken before. */
export const takeSilence = (state: WiegandState, now_ms: number): WiegandStep => {
  if (now_ms - state.at_ms < FRAME_GAP_MS) return { state, frame: null, hasDropped: false };
  const frame = wholeFrame(state);
  return {
    state: { ...state, bits: [], isSpoilt: false },
    frame,
    hasDropped: state.bits.length > 0 && frame === null,
  };
};
