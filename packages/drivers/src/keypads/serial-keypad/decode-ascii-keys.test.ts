import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AsciiKeyState, decodeAsciiKeys, defaultAsciiKeyMap, initialAsciiKeyState } from './decode-ascii-keys.ts';

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
