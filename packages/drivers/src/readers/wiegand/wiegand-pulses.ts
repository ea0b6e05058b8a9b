import type { WiegandBit } from './wiegand-frame.ts';

export interface WiegandPulse {
  readonly bit: WiegandBit;
  /** Milliseconds, timestamped by the kernel. */
  readonly at_ms: number;
  /** Counts all edges of both lines. */
  readonly sequence: number;
}

export interface WiegandState {
  readonly bits: readonly WiegandBit[];
  readonly at_ms: number;
  readonly sequence: number;
  /** A bit was lost, or the timing is invalid: all bits up to the end of the frame are dropped. */
  readonly isSpoilt: boolean;
}

export const initialWiegandState: WiegandState = { bits: [], at_ms: -Infinity, sequence: 0, isSpoilt: false };

/** Bits come about 2 ms apart, frames much further. */
export const WIEGAND_FRAME_GAP_MS = 25;
/** No reader sends this fast: both lines fall together if their ground is lost. */
const SHORTEST_GAP_MS = 0.1;
const LONGEST = 64;

const wholeFrame = ({ bits, isSpoilt }: WiegandState): readonly WiegandBit[] | null =>
  isSpoilt || bits.length === 0 ? null : bits;

export interface WiegandStep {
  readonly state: WiegandState;
  /** The frame that this input completed. */
  readonly frame: readonly WiegandBit[] | null;
  /** Something ended that was not a frame. */
  readonly hasDropped: boolean;
}

export const addWiegandPulse = (state: WiegandState, { bit, at_ms, sequence }: WiegandPulse): WiegandStep => {
  const gap = at_ms - state.at_ms;
  const isNew = gap >= WIEGAND_FRAME_GAP_MS;
  const isLost = state.sequence !== 0 && sequence !== state.sequence + 1;
  const isFull = !isNew && state.bits.length >= LONGEST;
  const next = {
    bits: isNew ? [bit] : isFull ? state.bits : [...state.bits, bit],
    at_ms,
    sequence,
    // The lost bit may belong to either of two frames: both are dropped.
    isSpoilt: isLost || isFull || gap < SHORTEST_GAP_MS || (!isNew && state.isSpoilt),
  };
  const frame = isNew && !isLost ? wholeFrame(state) : null;
  return { state: next, frame, hasDropped: isNew && state.bits.length > 0 && frame === null };
};

/** The line has been idle. All buffered edges must have been added before. */
export const endWiegandFrame = (state: WiegandState, now_ms: number): WiegandStep => {
  if (now_ms - state.at_ms < WIEGAND_FRAME_GAP_MS) return { state, frame: null, hasDropped: false };
  const frame = wholeFrame(state);
  return {
    state: { ...state, bits: [], isSpoilt: false },
    frame,
    hasDropped: state.bits.length > 0 && frame === null,
  };
};
