import { resolveWiegandFormat } from '@lintel/hardware-profiles/wiegand-formats';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { decodeGpioLineEvents } from '@lintel/drivers/gpio/gpio-abi';
import { ModbusRtuResponseFinder } from '../../../packages/drivers/src/modbus/rtu-frame.ts';
import {
  decodeAsciiKeys,
  defaultAsciiKeyMap,
  initialAsciiKeyState,
} from '../../../packages/drivers/src/keypads/serial-keypad/decode-ascii-keys.ts';
import { decodeInputEvents } from '../../../packages/drivers/src/evdev/input-event.ts';
import {
  initialKeyCodeState,
  decodeKeyPress,
} from '../../../packages/drivers/src/keypads/usb-keypad/decode-key-press.ts';
import { LcusResponseParser } from '../../../packages/drivers/src/relays/usb-relay/lcus-frame.ts';
import {
  initialWiegandState,
  addWiegandPulse,
  endWiegandFrame,
} from '../../../packages/drivers/src/readers/wiegand/wiegand-pulses.ts';
import {
  type WiegandBit,
  decodeWiegandCard,
  decodeWiegandKey,
} from '../../../packages/drivers/src/readers/wiegand/wiegand-frame.ts';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../bench/decide-fixture/seeded-random.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';

const formats = ([26, 34, 37] as const).map(resolveWiegandFormat);

const FRAMES = iterations({ sample: 20_000, all: 1_000_000 });
const GARBAGE_PIECES = iterations({ sample: 64, all: 2_560 });
const LONG_RUN_MS = 600_000;

const random = new SeededRandom(runSeed());
const below = (limit: number): number => random.below(limit);
const randomByte = (): number => below(256);

/** A valid frame, or one with changed bytes, truncated, or followed by a part of another one. */
const mutated = (good: Buffer): Buffer => {
  const frame = Buffer.from(good);
  const kind = below(5);
  if (kind === 0) return frame;
  for (let turns = 1 + below(2); turns > 0; turns--) frame[below(frame.length)] = below(256);
  if (kind === 1) return frame.subarray(0, below(frame.length + 1));
  return kind === 2 ? Buffer.concat([frame, good.subarray(0, below(good.length))]) : frame;
};

describe('LcusAnswers', { timeout: LONG_RUN_MS }, () => {
  it('reports only answers with a valid checksum', () => {
    const good = Buffer.from('a00101a2', 'hex');
    const answers = new LcusResponseParser();
    let found = 0;
    for (let frame = 0; frame < FRAMES; frame++)
      for (const { channel } of answers.take(mutated(good))) {
        if (channel === 0 || channel > 255) throw new Error(`channel ${channel}`);
        found++;
      }
    expect(found).toBeGreaterThan(FRAMES / 6);
  });

  it('finds the first answer after random bytes', () => {
    const answers = new LcusResponseParser();
    for (let piece = 0; piece < GARBAGE_PIECES; piece++) answers.take(Uint8Array.from({ length: 4_096 }, randomByte));
    // Three bytes may be left over, and one frame may complete an answer with them.
    expect([
      ...answers.take(Buffer.from('a00201a3', 'hex')),
      ...answers.take(Buffer.from('a00201a3', 'hex')),
    ]).toContainEqual({
      channel: 2,
      on: true,
    });
  });
});

describe('asciiKeys', { timeout: LONG_RUN_MS }, () => {
  it('reports no key from bytes that contain anything else', () => {
    const good = Buffer.from('2580#');
    let state = initialAsciiKeyState;
    let keys = 0;
    for (let frame = 0, now = 0; frame < FRAMES; frame++, now += below(2_000)) {
      const bytes = mutated(good);
      const step = decodeAsciiKeys(defaultAsciiKeyMap, state, bytes, monotonic(now));
      state = step.state;
      // A to D are keys without a function.
      if (step.keys.length > 0 && /[^0-9*#A-D\r\n]/i.test(bytes.toString('latin1')))
        throw new Error(bytes.toString('hex'));
      keys += step.keys.length;
    }
    expect(keys).toBeGreaterThan(FRAMES / 6);
  });
});

describe('wiegandCard and wiegandKey', { timeout: LONG_RUN_MS }, () => {
  it('report a card only with both parities valid, and a key only from 4 or 8 bits', () => {
    const bursts = ['4_bit', '8_bit', '8_bit_reversed'] as const;
    const lengths = [0, 3, 4, 8, 25, 26, 26, 26, 27, 34, 34, 37, 37, 64];
    let cards = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const length = lengths[below(lengths.length)]!;
      const words = [below(2 ** 32), below(2 ** 32)];
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

describe('takePulse and takeSilence', { timeout: LONG_RUN_MS }, () => {
  it('keep at most 64 bits of lost, hurried or endless pulses', () => {
    let state = initialWiegandState;
    let [at_ms, sequence, frames] = [1_000, 0, 0];
    for (let pulse = 0; pulse < FRAMES; pulse++) {
      const pause = below(12);
      at_ms += pause === 0 ? 30 : pause === 1 ? 0.01 : 2;
      sequence += below(50) === 0 ? 2 : 1;
      const step =
        pulse % 7 === 0 ? endWiegandFrame(state, at_ms) : addWiegandPulse(state, { bit: 1, at_ms, sequence });
      state = step.state;
      if (step.frame !== null) frames++;
      if (state.bits.length > 64) throw new Error(`${state.bits.length} bits are kept`);
    }
    expect(frames).toBeGreaterThan(FRAMES / 1_000);
  });
});

describe('lineEvents', { timeout: LONG_RUN_MS }, () => {
  it('reports complete edges only', () => {
    const good = Buffer.alloc(96);
    good.writeUInt32LE(1, 8);
    good.writeUInt32LE(2, 56);
    let edges = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const bytes = mutated(good);
      const found = decodeGpioLineEvents(bytes);
      if (found.length > bytes.length / 48) throw new Error(`${found.length} edges in ${bytes.length} bytes`);
      edges += found.length;
    }
    expect(edges).toBeGreaterThan(FRAMES);
  });
});

describe('takeInputEvent', { timeout: LONG_RUN_MS }, () => {
  it('reports keys for press events only', () => {
    const good = Buffer.alloc(24);
    good.writeUInt16LE(1, 16);
    good.writeUInt16LE(79, 18);
    good.writeInt32LE(1, 20);
    let state = initialKeyCodeState;
    let keys = 0;
    for (let frame = 0; frame < FRAMES; frame++)
      for (const event of decodeInputEvents(mutated(good))) {
        const step = decodeKeyPress(state, event, new Map());
        state = step.state;
        if (step.key === null) continue;
        if (event.type !== 1 || event.value !== 1) throw new Error(JSON.stringify(event));
        keys++;
      }
    expect(keys).toBeGreaterThan(FRAMES / 6);
  });
});

describe('AnswerFinder', { timeout: LONG_RUN_MS }, () => {
  it('reports an answer only with the expected address, function code and CRC', () => {
    const request = Buffer.from('0101000000083dcc', 'hex');
    const good = Buffer.from('01010105918b', 'hex');
    let found = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const bytes = mutated(good);
      const answer = new ModbusRtuResponseFinder(request).take(bytes);
      if (answer === null) continue;
      if (!bytes.includes(answer) || answer[0] !== 1 || (answer[1]! & 0x7f) !== 1)
        throw new Error(bytes.toString('hex'));
      found++;
    }
    expect(found).toBeGreaterThan(FRAMES / 6);
    expect(found).toBeLessThan(FRAMES / 2);
  });

  it('finds the answer after random bytes, within the length of one answer', () => {
    const finder = new ModbusRtuResponseFinder(Buffer.from('0101000000083dcc', 'hex'));
    const answer = Buffer.from('01010105918b', 'hex');
    for (let piece = 0; piece < GARBAGE_PIECES; piece++)
      finder.take(Buffer.from(Uint8Array.from({ length: 4_096 }, randomByte)));
    expect([finder.take(answer), finder.take(answer)]).toContainEqual(answer);
  });
});
