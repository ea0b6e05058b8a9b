import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePn532Target } from './chip.ts';
import { encodePn532Command, type Pn532Frame, Pn532FrameStream } from './frame.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hex = (of: Uint8Array): string => Buffer.from(of).toString('hex');

const framesIn = (...pieces: readonly Uint8Array[]): readonly Pn532Frame[] => {
  const stream = new Pn532FrameStream();
  return pieces.flatMap(piece => stream.take(piece));
};

const FIRMWARE = '00 00 ff 06 fa d5 03 32 01 06 07 e8 00';
const firmware: Pn532Frame = { type: 'answer', code: 3, data: bytes('32 01 06 07') };

describe('PN532 frames', () => {
  it('encode commands like the golden examples', () => {
    expect(hex(encodePn532Command(0x02, new Uint8Array()))).toBe('0000ff02fed4022a00');
    expect(hex(encodePn532Command(0x14, bytes('01')))).toBe('0000ff03fdd414011700');
    expect(hex(encodePn532Command(0x4a, bytes('01 00')))).toBe('0000ff04fcd44a0100e100');
  });

  describe('received', () => {
    it('are recognized as ACK, NACK, error and response', () => {
      expect(framesIn(bytes('00 00 ff 00 ff 00'))).toEqual([{ type: 'ack' }]);
      expect(framesIn(bytes('00 00 ff ff 00 00'))).toEqual([{ type: 'nack' }]);
      expect(framesIn(bytes('00 00 ff 01 ff 7f 81 00'))).toEqual([{ type: 'error' }]);
      expect(framesIn(bytes(FIRMWARE))).toEqual([firmware]);
      expect(framesIn(bytes(`00 00 ff 00 ff 00 ${FIRMWARE}`))).toEqual([{ type: 'ack' }, firmware]);
    });

    it('may use the extended format', () => {
      const data = new Uint8Array(263).fill(7);
      const check = -(0xd5 + 0x41 + 263 * 7) & 0xff;
      const frame = Uint8Array.of(...bytes('00 00 ff ff ff 01 09 f6 d5 41'), ...data, check, 0);
      expect(framesIn(frame)).toEqual([{ type: 'answer', code: 0x41, data }]);
    });

    it('may arrive in pieces of any size behind noise', () => {
      const noise = fc.uint8Array({ maxLength: 20 }).filter(some => !some.includes(0xff) && !some.includes(0x00));
      fc.assert(
        fc.property(noise, fc.array(fc.nat(40), { maxLength: 6 }), (before, cuts) => {
          const whole = Uint8Array.of(...before, ...bytes(FIRMWARE), ...before, ...bytes(FIRMWARE));
          const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
          expect(framesIn(...at.slice(1).map((end, index) => whole.subarray(at[index], end)))).toEqual([
            firmware,
            firmware,
          ]);
        }),
      );
    });

    it('are dropped when any single bit has changed', () => {
      const good = bytes(FIRMWARE);
      for (let bit = 8; bit < 12 * 8; bit++) {
        const bad = good.slice();
        bad[bit >> 3]! ^= 1 << (bit & 7);
        expect(framesIn(bad).filter(({ type }) => type === 'answer')).toEqual([]);
      }
    });

    it('are reported as damaged, and the next one is found', () => {
      expect(framesIn(bytes(`${FIRMWARE.replace('32', '33')} ${FIRMWARE}`))).toEqual([{ type: 'broken' }, firmware]);
    });

    it('do not block the next one after a truncated frame, once the parser is reset', () => {
      const stream = new Pn532FrameStream();
      stream.take(bytes('00 00 ff 7f 81 d5'));
      expect(stream.take(bytes(FIRMWARE))).toEqual([]);
      stream.forget();
      expect(stream.take(bytes(FIRMWARE))).toEqual([firmware]);
    });
  });

  describe('that list targets', () => {
    it('give the UID and whether the card supports APDUs', () => {
      expect(parsePn532Target(bytes('01 01 0004 08 04 00a1b2c3'))).toEqual({
        number: 1,
        uid: bytes('00a1b2c3'),
        speaksApdus: false,
      });
      expect(parsePn532Target(bytes('01 01 0344 20 07 04000000000001 0675778102 80'))).toEqual({
        number: 1,
        uid: bytes('04000000000001'),
        speaksApdus: true,
      });
    });

    it('list nothing when there is no target, or when the lengths are wrong', () => {
      for (const data of ['', '00', '01 01 0004 08', '01 01 0004 08 07 04a1b2c3'])
        expect(parsePn532Target(bytes(data))).toBeNull();
    });
  });
});
