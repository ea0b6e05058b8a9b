import { describe, expect, it } from 'vitest';
import {
  initialWiegandState,
  type WiegandPulse,
  addWiegandPulse,
  endWiegandFrame,
  type WiegandState,
  type WiegandBit,
} from './frame.ts';

const pulses = (text: string, at_ms: number, sequence: number, gap_ms = 2): WiegandPulse[] =>
  Array.from(text, (digit, index) => ({
    bit: digit === '1' ? 1 : 0,
    at_ms: at_ms + index * gap_ms,
    sequence: sequence + index,
  }));

const framesOf = (all: readonly WiegandPulse[]): string[] => {
  let state: WiegandState = initialWiegandState;
  const frames: (readonly WiegandBit[] | null)[] = [];
  for (const pulse of all) {
    const step = addWiegandPulse(state, pulse);
    state = step.state;
    frames.push(step.frame);
  }
  const end = endWiegandFrame(state, (all.at(-1)?.at_ms ?? 0) + 25);
  expect(endWiegandFrame(end.state, 1e9).frame).toBeNull();
  return [...frames, end.frame].filter(frame => frame !== null).map(frame => frame.join(''));
};

describe('Wiegand pulses', () => {
  it('form one frame until they pause, by kernel time and not by arrival time', () => {
    expect(framesOf([...pulses('0101', 100, 1), ...pulses('1100', 140, 5)])).toEqual(['0101', '1100']);
  });

  it('form no frame yet while another bit may follow', () => {
    const { state } = addWiegandPulse(initialWiegandState, { bit: 1, at_ms: 100, sequence: 1 });
    expect(endWiegandFrame(state, 124).frame).toBeNull();
    expect(endWiegandFrame(state, 125).frame).toEqual([1]);
  });

  it('are dropped with the frame in which one was lost, and the one before it when that is uncertain', () => {
    const good = pulses('0001', 300, 20);
    expect(framesOf([...pulses('01', 100, 1), ...pulses('01', 104, 4), ...pulses('1111', 200, 6)])).toEqual(['1111']);
    expect(framesOf([...pulses('0101', 100, 1), ...pulses('1100', 200, 6), ...pulses('1', 300, 10)])).toEqual(['1']);
    expect(framesOf([...pulses('0101', 100, 1), ...good, ...pulses('0010', 400, 24)])).toEqual(['0010']);
  });

  it('are noise when they are too fast or never end, and a frame after a pause is accepted', () => {
    expect(framesOf([...pulses('0101', 100, 1, 0.01), ...pulses('0011', 200, 5)])).toEqual(['0011']);
    expect(framesOf([...pulses('1'.repeat(5_000), 100, 1), ...pulses('0011', 20_000, 5_001)])).toEqual(['0011']);
  });
});
