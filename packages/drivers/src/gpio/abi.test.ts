import { describe, expect, it } from 'vitest';
import {
  decodeGpioChipInfo,
  decodeGpioLineEvents,
  encodeGpioLineRequest,
  encodeGpioLineValues,
  decodeGpioLineRequestFd,
  decodeGpioLineValues,
} from './abi.ts';
import { damageFrame, FRAMES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

/** The non-zero bytes by offset. */
const set = (bytes: Buffer): Record<number, number> =>
  Object.fromEntries([...bytes.entries()].filter(([, byte]) => byte !== 0));

const letters = (text: string, at: number): Record<number, number> =>
  Object.fromEntries([...Buffer.from(text)].map((letter, index) => [at + index, letter]));

describe('GPIO character device ABI', () => {
  it('requests an output that is active low and off', () => {
    const bytes = encodeGpioLineRequest({ offsets: [17], flags: ['output', 'active_low'], consumer: 'lintel' });
    expect(bytes.length).toBe(592);
    expect(set(bytes)).toEqual({
      0: 17,
      ...letters('lintel', 256),
      288: 0x0a,
      296: 1,
      // Output values, none of them on, for the first line.
      320: 2,
      336: 1,
      560: 1,
    });
  });

  it('requests two inputs with pull-up, both edges and a debounce of 20 ms', () => {
    const bytes = encodeGpioLineRequest({
      offsets: [2, 300],
      flags: ['input', 'rising', 'falling', 'pull_up'],
      debounce_us: 20_000,
      consumer: 'lintel',
      event_buffer: 512,
    });
    expect(set(bytes)).toEqual({
      0: 2,
      4: 0x2c,
      5: 0x01,
      ...letters('lintel', 256),
      288: 0x34,
      289: 0x01,
      296: 1,
      320: 3,
      328: 0x20,
      329: 0x4e,
      336: 3,
      560: 2,
      565: 2,
    });
  });

  it('truncates a name that is too long', () => {
    const bytes = encodeGpioLineRequest({ offsets: [1], flags: ['input'], consumer: 'x'.repeat(99) });
    expect(bytes.subarray(256, 288).toString()).toBe(`${'x'.repeat(31)}\0`);
  });

  it('carries the descriptor in the last four bytes', () => {
    const bytes = encodeGpioLineRequest({ offsets: [1], flags: ['input'], consumer: '' });
    bytes.writeInt32LE(31, 588);
    expect(decodeGpioLineRequestFd(bytes)).toBe(31);
  });

  it('encodes which lines are on, and which are addressed', () => {
    expect(encodeGpioLineValues([true, false, true]).toString('hex')).toBe('05000000000000000700000000000000');
    expect(decodeGpioLineValues(Buffer.from('06000000000000000700000000000000', 'hex'), 3)).toEqual([
      false,
      true,
      true,
    ]);
    expect(decodeGpioLineValues(encodeGpioLineValues(Array.from({ length: 64 }, () => true)), 64).every(Boolean)).toBe(
      true,
    );
  });

  it('decodes the name of a chip', () => {
    const bytes = Buffer.alloc(68);
    bytes.write('gpiochip4', 0);
    bytes.write('pinctrl-rp1', 32);
    bytes.writeUInt32LE(54, 64);
    expect(decodeGpioChipInfo(bytes)).toEqual({ name: 'gpiochip4', label: 'pinctrl-rp1', lines: 54 });
  });

  it('decodes edges with their timestamps, and only complete records of a known kind', () => {
    const edge = (kind: string): string =>
      `40420f0000000000${kind}00000017000000070000000300000000000000000000000000000000000000000000000000000`.padEnd(
        96,
        '0',
      );
    const bytes = Buffer.from(`${edge('01')}${edge('02')}${edge('09')}40420f`, 'hex');
    expect(decodeGpioLineEvents(bytes)).toEqual([
      { at_ms: 1, offset: 23, isRising: true, sequence: 7 },
      { at_ms: 1, offset: 23, isRising: false, sequence: 7 },
    ]);
  });
});

const random = new SeededRandom(runSeed());

describe('decodeGpioLineEvents', { timeout: LONG_RUN_MS }, () => {
  it('reports complete edges only', () => {
    const good = Buffer.alloc(96);
    good.writeUInt32LE(1, 8);
    good.writeUInt32LE(2, 56);
    let edges = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const bytes = damageFrame(good, random);
      const found = decodeGpioLineEvents(bytes);
      if (found.length > bytes.length / 48) throw new Error(`${found.length} edges in ${bytes.length} bytes`);
      edges += found.length;
    }
    expect(edges).toBeGreaterThan(FRAMES);
  });
});
