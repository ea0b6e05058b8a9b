import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerFinder, crc16, withCoilValue } from './rtu-frame.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

const sealed = (body: Buffer): Buffer => {
  const check = crc16(body);
  return Buffer.concat([body, Buffer.from([check & 0xff, check >>> 8])]);
};

const writeRelay = bytes('01 05 00 00 ff 00 8c 3a');
const readEight = bytes('01 01 00 00 00 08 3d cc');

describe('frames of Modbus RTU', () => {
  it('have the check of the sheets', () => {
    expect(sealed(bytes('01 05 00 00 ff 00'))).toEqual(writeRelay);
    expect(sealed(bytes('01 01 00 00 00 08'))).toEqual(readEight);
  });

  it('carry the time of a pulse as the sheet of the board has it', () => {
    const plain = sealed(bytes('01 05 02 00 ff 00'));
    expect(withCoilValue(plain, 7)).toEqual(bytes('01 05 02 00 00 07 8d b0'));
  });

  it('are found in pieces of any size, behind anything that is not one', () => {
    const answer = sealed(bytes('01 01 01 05'));
    const any = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 9 }), (noise, size) => {
        // Noise that looks like the beginning of an answer makes this one unreadable, and it is asked again.
        fc.pre(!noise.includes(1));
        const finder = new AnswerFinder(readEight);
        const all = Buffer.concat([noise, answer]);
        let found: Buffer | null = null;
        for (let at = 0; at < all.length; at += size) found ??= finder.take(all.subarray(at, at + size));
        expect(found).toEqual(answer);
      }),
    );
  });

  it('are not mistaken for the echo of the own request, nor for the answer of another board or to another question', () => {
    const answer = sealed(bytes('01 01 01 05'));
    const others = [sealed(bytes('02 01 01 05')), sealed(bytes('01 02 01 05')), sealed(bytes('01 01 02 05 05'))];
    for (const other of [readEight, ...others]) {
      const finder = new AnswerFinder(readEight);
      expect(finder.take(other)).toBeNull();
      expect(finder.take(answer)).toEqual(answer);
    }
  });

  it('of a write repeat it, and nothing else will do', () => {
    expect(new AnswerFinder(writeRelay).take(writeRelay)).toEqual(writeRelay);
    expect(new AnswerFinder(writeRelay).take(bytes('01 05 00 00 00 00 cd ca'))).toBeNull();
    expect(new AnswerFinder(writeRelay).take(bytes('01 05 00 01 ff 00 dd fa'))).toBeNull();
  });

  it('are exceptions too', () => {
    const exception = sealed(bytes('01 81 02'));
    expect(new AnswerFinder(readEight).take(exception)).toEqual(exception);
  });

  it('with a wrong check are none', () => {
    const wrong = sealed(bytes('01 01 01 05'));
    wrong[4]! ^= 1;
    expect(new AnswerFinder(readEight).take(wrong)).toBeNull();
  });

  it('are known to be damaged when they began as such, unlike an echo, noise, or the answer of another', () => {
    const damageOf = (heard: Buffer): boolean => {
      const finder = new AnswerFinder(readEight);
      finder.take(heard);
      return finder.hasDamage;
    };
    const wrong = sealed(bytes('01 01 01 05'));
    wrong[4]! ^= 1;
    expect([wrong, sealed(bytes('01 01 01 05')).subarray(0, 4)].map(damageOf)).toEqual([true, true]);
    const others = [Buffer.alloc(0), readEight, sealed(bytes('02 01 01 05')), bytes('00 ff 13 07')];
    expect(others.map(damageOf)).toEqual([false, false, false, false]);
  });
});
