import { monotonic } from '@lintel/access-core/monotonic';
import { lineEvents } from '@lintel/device-runtime/adapters/gpio/gpio-abi';
import { AnswerFinder } from '@lintel/device-runtime/adapters/modbus/rtu-frame';
import { asciiKeys, plainKeyMap, silentKeypad } from '@lintel/device-runtime/adapters/serial-keypad/ascii-keys';
import { inputEvents } from '@lintel/device-runtime/adapters/usb-keypad/input-event';
import { noShift, takeInputEvent } from '@lintel/device-runtime/adapters/usb-keypad/key-codes';
import { LcusAnswers } from '@lintel/device-runtime/adapters/usb-relay/lcus-frame';
import { noPulses, takePulse, takeSilence } from '@lintel/device-runtime/adapters/wiegand/wiegand-bits';
import { type Bit, wiegandCard, wiegandKey } from '@lintel/device-runtime/adapters/wiegand/wiegand-frame';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../bench/decide-fixture/seeded-random.ts';
import { processorTime } from './processor-time.ts';

const FRAMES = 1_000_000;
const random = new SeededRandom(20);
const below = (limit: number): number => random.below(limit);

/** A good frame with a byte or two turned, cut short, or with something stuck to it. */
const mutated = (good: Buffer): Buffer => {
  const frame = Buffer.from(good);
  const kind = below(5);
  if (kind === 0) return frame;
  for (let turns = 1 + below(2); turns > 0; turns--) frame[below(frame.length)] = below(256);
  if (kind === 1) return frame.subarray(0, below(frame.length + 1));
  return kind === 2 ? Buffer.concat([frame, good.subarray(0, below(good.length))]) : frame;
};

const heapAfter = (work: () => void): number => {
  const before = process.memoryUsage().heapUsed;
  work();
  return (process.memoryUsage().heapUsed - before) / 2 ** 20;
};

describe(`${FRAMES} hostile frames`, () => {
  it('of an LCUS relay: an answer is only what has its sum', () => {
    const good = Buffer.from('a00101a2', 'hex');
    const answers = new LcusAnswers();
    let found = 0;
    const grown = heapAfter(() => {
      for (let frame = 0; frame < FRAMES; frame++)
        for (const { channel } of answers.take(mutated(good))) {
          expect(channel > 0 && channel < 256).toBe(true);
          found++;
        }
    });
    expect(found).toBeGreaterThan(FRAMES / 6);
    expect(grown).toBeLessThan(200);
  });

  it('of a serial keypad: no key with anything else beside it', () => {
    const good = Buffer.from('2580#');
    let state = silentKeypad;
    let keys = 0;
    for (let frame = 0, now = 0; frame < FRAMES; frame++, now += below(2_000)) {
      const bytes = mutated(good);
      const step = asciiKeys(plainKeyMap, state, bytes, monotonic(now));
      state = step.state;
      // A to D are keys too, without a meaning.
      if (step.keys.length > 0 && /[^0-9*#A-D\r\n]/i.test(bytes.toString('latin1')))
        throw new Error(bytes.toString('hex'));
      keys += step.keys.length;
    }
    expect(keys).toBeGreaterThan(FRAMES / 6);
  });

  it('of a Wiegand reader: a card only with both parities, by another count of them', () => {
    const bursts = ['4_bit', '8_bit', '8_bit_reversed'] as const;
    const lengths = [0, 3, 4, 8, 25, 26, 26, 26, 27, 34, 34, 37, 37, 64];
    let cards = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const length = lengths[below(lengths.length)]!;
      const words = [below(2 ** 32), below(2 ** 32)];
      const bits: Bit[] = [];
      for (let at = 0; at < length; at++) bits.push(((words[at >> 5]! >>> (at & 31)) & 1) === 1 ? 1 : 0);
      for (const burst of bursts)
        if (wiegandKey(bits, burst) !== null && length !== 4 && length !== 8) throw new Error('a key out of a card');
      const uid = wiegandCard(bits);
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

  it('of pulses on two lines: never a frame of lost, hurried or endless ones', () => {
    let state = noPulses;
    let [at_ms, sequence, frames] = [1_000, 0, 0];
    for (let pulse = 0; pulse < FRAMES; pulse++) {
      const pause = below(12);
      at_ms += pause === 0 ? 30 : pause === 1 ? 0.01 : 2;
      sequence += below(50) === 0 ? 2 : 1;
      const step = pulse % 7 === 0 ? takeSilence(state, at_ms) : takePulse(state, { bit: 1, at_ms, sequence });
      state = step.state;
      if (step.frame !== null) frames++;
      if (state.bits.length > 64) throw new Error('it grows');
    }
    expect(frames).toBeGreaterThan(1_000);
  });

  it('of the GPIO device: whole edges only', () => {
    const good = Buffer.alloc(96);
    good.writeUInt32LE(1, 8);
    good.writeUInt32LE(2, 56);
    let edges = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const bytes = mutated(good);
      const found = lineEvents(bytes);
      if (found.length > bytes.length / 48) throw new Error('too many');
      edges += found.length;
    }
    expect(edges).toBeGreaterThan(FRAMES);
  });

  it('of a USB keypad: keys of presses only', () => {
    const good = Buffer.alloc(24);
    good.writeUInt16LE(1, 16);
    good.writeUInt16LE(79, 18);
    good.writeInt32LE(1, 20);
    let state = noShift;
    let keys = 0;
    for (let frame = 0; frame < FRAMES; frame++)
      for (const event of inputEvents(mutated(good))) {
        const step = takeInputEvent(state, event, new Map());
        state = step.state;
        if (step.key === null) continue;
        if (event.type !== 1 || event.value !== 1) throw new Error(JSON.stringify(event));
        keys++;
      }
    expect(keys).toBeGreaterThan(FRAMES / 6);
  });

  it('of a Modbus board: an answer only with its address, its code and its check', () => {
    const request = Buffer.from('0101000000083dcc', 'hex');
    const good = Buffer.from('01010105918b', 'hex');
    let found = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const bytes = mutated(good);
      const answer = new AnswerFinder(request).take(bytes);
      if (answer === null) continue;
      if (!bytes.includes(answer) || answer[0] !== 1 || (answer[1]! & 0x7f) !== 1)
        throw new Error(bytes.toString('hex'));
      found++;
    }
    expect(found).toBeGreaterThan(FRAMES / 6);
    expect(found).toBeLessThan(FRAMES / 2);
  });

  it('of a Modbus line that never ends: what is kept stays small', () => {
    const finder = new AnswerFinder(Buffer.from('0101000000083dcc', 'hex'));
    const garbage = Buffer.from(Uint8Array.from({ length: 4_096 }, () => below(256)));
    const worked = processorTime();
    const grown = heapAfter(() => {
      for (let sent = 0; sent < 10 * 2 ** 20; sent += garbage.length) finder.take(garbage);
    });
    expect(grown).toBeLessThan(100);
    expect(worked()).toBeLessThan(10_000);
  });
});
