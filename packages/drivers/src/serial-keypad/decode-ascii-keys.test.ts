import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AsciiKeyState, decodeAsciiKeys, defaultAsciiKeyMap, initialAsciiKeyState } from './keypad.ts';
import { damageFrame, FRAMES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);

const typist = () => {
  let state: AsciiKeyState = initialAsciiKeyState;
  return (bytes: Uint8Array, at: number): string => {
    const step = decodeAsciiKeys(defaultAsciiKeyMap, state, bytes, at as MonotonicTime);
    state = step.state;
    return step.keys.join('');
  };
};

describe('ASCII keys', () => {
  it('are reported in order, Enter as #, without line feeds', () => {
    const type = typist();
    expect(type(text('1234\r\n'), 1_000)).toBe('1234#');
    expect(type(text('*9'), 1_100)).toBe('*9');
  });

  it('A to D of a 4×4 keypad are ignored without counting as noise', () => {
    const type = typist();
    expect(type(text('A'), 1_000)).toBe('');
    expect(type(text('1bCd2'), 1_100)).toBe('12');
  });

  it('are dropped together with any other byte, until the line was silent for half a second', () => {
    const type = typist();
    expect(type(text('12x4'), 1_000)).toBe('');
    expect(type(text('5'), 1_400)).toBe('');
    expect(type(text('5'), 1_800)).toBe('');
    expect(type(text('5'), 2_301)).toBe('5');
  });

  it('are dropped when they arrive faster than a person types', () => {
    const type = typist();
    let reported = '';
    for (let at = 0; at < 1_000; at += 5) reported += type(text('7'), at);
    expect(reported.length).toBeLessThan(40);
    expect(type(text('7'), 1_100)).toBe('');
    expect(type(text('7'), 1_700)).toBe('7');
  });

  it('are never derived from random bytes that arrive together', () => {
    const garbage = fc.uint8Array({ minLength: 8, maxLength: 200 });
    fc.assert(
      fc.property(garbage, bytes => {
        fc.pre(!bytes.every(byte => defaultAsciiKeyMap.has(byte)));
        expect(decodeAsciiKeys(defaultAsciiKeyMap, initialAsciiKeyState, bytes, monotonic(5_000)).keys).toEqual([]);
      }),
    );
  });
});

const random = new SeededRandom(runSeed());

describe('decodeAsciiKeys', { timeout: LONG_RUN_MS }, () => {
  it('reports no key from bytes that contain anything else', () => {
    const good = Buffer.from('2580#');
    let state = initialAsciiKeyState;
    let keys = 0;
    for (let frame = 0, now = 0; frame < FRAMES; frame++, now += random.below(2_000)) {
      const bytes = damageFrame(good, random);
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
