import { resolveWiegandFormat } from './formats.ts';
import {
  type WiegandBit,
  decodeWiegandCard,
  decodeWiegandKey,
  addWiegandPulse,
  endWiegandFrame,
  initialWiegandState,
} from './frame.ts';
import { describe, expect, it } from 'vitest';
import { FRAMES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const formats = ([26, 34, 37] as const).map(resolveWiegandFormat);
const random = new SeededRandom(runSeed());

describe('decodeWiegandCard and decodeWiegandKey', { timeout: LONG_RUN_MS }, () => {
  it('report a card only with both parities valid, and a key only from 4 or 8 bits', () => {
    const bursts = ['4_bit', '8_bit', '8_bit_reversed'] as const;
    const lengths = [0, 3, 4, 8, 25, 26, 26, 26, 27, 34, 34, 37, 37, 64];
    let cards = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const length = lengths[random.below(lengths.length)]!;
      const words = [random.below(2 ** 32), random.below(2 ** 32)];
      const bits: WiegandBit[] = [];
      for (let at = 0; at < length; at++) bits.push(((words[at >> 5]! >>> (at & 31)) & 1) === 1 ? 1 : 0);
      for (const burst of bursts)
        if (decodeWiegandKey(bits, burst) !== null && length !== 4 && length !== 8)
          throw new Error(`a key from ${length} bits`);
      const uid = decodeWiegandCard(bits, formats);
      const half = length === 37 ? 19 : length / 2;
      let [first, last] = [0, 0];
      for (let at = 0; at < half; at++) {
        first ^= bits[at]!;
        last ^= bits[length - 1 - at]!;
      }
      const isGood = [26, 34, 37].includes(length) && first === 0 && last === 1;
      if ((uid !== null) !== isGood) throw new Error(bits.join(''));
      if (uid !== null) cards++;
    }
    expect(cards).toBeGreaterThan(FRAMES / 10);
  });
});

describe('addWiegandPulse and endWiegandFrame', { timeout: LONG_RUN_MS }, () => {
  it('keep at most 64 bits of lost, hurried or endless pulses', () => {
    let state = initialWiegandState;
    let [at_ms, sequence, frames] = [1_000, 0, 0];
    for (let pulse = 0; pulse < FRAMES; pulse++) {
      const pause = random.below(12);
      at_ms += pause === 0 ? 30 : pause === 1 ? 0.01 : 2;
      sequence += random.below(50) === 0 ? 2 : 1;
      const step =
        pulse % 7 === 0 ? endWiegandFrame(state, at_ms) : addWiegandPulse(state, { bit: 1, at_ms, sequence });
      state = step.state;
      if (step.frame !== null) frames++;
      if (state.bits.length > 64) throw new Error(`${state.bits.length} bits are kept`);
    }
    expect(frames).toBeGreaterThan(FRAMES / 1_000);
  });
});
