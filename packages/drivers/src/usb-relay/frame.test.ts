import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LcusResponseParser, encodeLcusFrame } from './board.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));

describe('LCUS relay frames', () => {
  it('match the data sheet of the board', () => {
    expect(hex(encodeLcusFrame(1, 'on'))).toBe('a00101a2');
    expect(hex(encodeLcusFrame(1, 'off'))).toBe('a00100a1');
    expect(hex(encodeLcusFrame(2, 'on'))).toBe('a00201a3');
    expect(hex(encodeLcusFrame(1, 'off_answered'))).toBe('a00102a3');
    expect(hex(encodeLcusFrame(1, 'on_answered'))).toBe('a00103a4');
    expect(hex(encodeLcusFrame(1, 'ask'))).toBe('a00105a6');
  });

  it('are decoded as responses in pieces of any size, with anything in between', () => {
    const frames = bytes('ff a0 a0 01 01 a2 00 13 a0 02 00 a2 a0 04 01');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15 }), size => {
        const answers = new LcusResponseParser();
        const found = [];
        for (let at = 0; at < frames.length; at += size) found.push(...answers.take(frames.subarray(at, at + size)));
        expect(found).toEqual([
          { channel: 1, on: true },
          { channel: 2, on: false },
        ]);
        expect(answers.take(bytes('a5'))).toEqual([{ channel: 4, on: true }]);
      }),
    );
  });

  it('are rejected with a wrong checksum, an unknown state or an unknown channel', () => {
    const answers = new LcusResponseParser();
    expect(answers.take(bytes('a0 01 01 a3 a0 01 02 a3 a0 00 01 a1'))).toEqual([]);
  });
});
