import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModbusRtuResponseFinder, computeModbusCrc, encodeNumericCoilValue } from './frame.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

const sealed = (body: Buffer): Buffer => {
  const check = computeModbusCrc(body);
  return Buffer.concat([body, Buffer.from([check & 0xff, check >>> 8])]);
};

const writeRelay = bytes('01 05 00 00 ff 00 8c 3a');
const readEight = bytes('01 01 00 00 00 08 3d cc');

describe('Modbus RTU frames', () => {
  it('have the CRC of the data sheets', () => {
    expect(sealed(bytes('01 05 00 00 ff 00'))).toEqual(writeRelay);
    expect(sealed(bytes('01 01 00 00 00 08'))).toEqual(readEight);
  });

  it('encode the pulse time like the data sheet of the board', () => {
    const plain = sealed(bytes('01 05 02 00 ff 00'));
    expect(encodeNumericCoilValue(plain, 7)).toEqual(bytes('01 05 02 00 00 07 8d b0'));
  });

  it('are found in pieces of any size, behind any noise', () => {
    const answer = sealed(bytes('01 01 01 05'));
    const any = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 9 }), (noise, size) => {
        // Noise that looks like the start of a response makes this one unreadable; the request is repeated.
        fc.pre(!noise.includes(1));
        const finder = new ModbusRtuResponseFinder(readEight);
        const all = Buffer.concat([noise, answer]);
        let found: Buffer | null = null;
        for (let at = 0; at < all.length; at += size) found ??= finder.take(all.subarray(at, at + size));
        expect(found).toEqual(answer);
      }),
    );
  });

  it('are not confused with the echo of the request or a response to another request', () => {
    const answer = sealed(bytes('01 01 01 05'));
    const others = [sealed(bytes('02 01 01 05')), sealed(bytes('01 02 01 05')), sealed(bytes('01 01 02 05 05'))];
    for (const other of [readEight, ...others]) {
      const finder = new ModbusRtuResponseFinder(readEight);
      expect(finder.take(other)).toBeNull();
      expect(finder.take(answer)).toEqual(answer);
    }
  });

  it('of a write must repeat the request exactly', () => {
    expect(new ModbusRtuResponseFinder(writeRelay).take(writeRelay)).toEqual(writeRelay);
    expect(new ModbusRtuResponseFinder(writeRelay).take(bytes('01 05 00 00 00 00 cd ca'))).toBeNull();
    expect(new ModbusRtuResponseFinder(writeRelay).take(bytes('01 05 00 01 ff 00 dd fa'))).toBeNull();
  });

  it('of registers have two bytes for each', () => {
    const readTwo = sealed(bytes('01 03 00 10 00 02'));
    const answer = sealed(bytes('01 03 04 00 01 ff 00'));
    expect(new ModbusRtuResponseFinder(readTwo).take(answer)).toEqual(answer);
    expect(new ModbusRtuResponseFinder(readTwo).take(sealed(bytes('01 03 02 00 01')))).toBeNull();
    const writeOne = sealed(bytes('01 06 00 01 01 00'));
    expect(new ModbusRtuResponseFinder(writeOne).take(sealed(bytes('01 06 00 01 02 00')))).toBeNull();
  });

  it('can be exceptions', () => {
    const exception = sealed(bytes('01 81 02'));
    expect(new ModbusRtuResponseFinder(readEight).take(exception)).toEqual(exception);
  });

  it('with a wrong CRC are dropped', () => {
    const wrong = sealed(bytes('01 01 01 05'));
    wrong[4]! ^= 1;
    expect(new ModbusRtuResponseFinder(readEight).take(wrong)).toBeNull();
  });

  it('count as damaged only if they began as a response, unlike an echo, noise, or a response from another board', () => {
    const damageOf = (heard: Buffer): boolean => {
      const finder = new ModbusRtuResponseFinder(readEight);
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
