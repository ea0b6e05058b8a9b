import { describe, expect, it } from 'vitest';
import { decodeInputEvents } from '../evdev/input-event.ts';
import { type KeyCodeState, initialKeyCodeState, decodeKeyPress } from './keypad.ts';
import { damageFrame, FRAMES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const keysOf = (hex: string): string => {
  let state: KeyCodeState = initialKeyCodeState;
  let keys = '';
  for (const event of decodeInputEvents(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'))) {
    const step = decodeKeyPress(state, event, new Map([[14, '*']]));
    state = step.state;
    keys += step.key ?? '';
  }
  return keys;
};

const time = '4f1c5e6800000000 15cd5b0700000000';
const record = (type: string, code: string, value: string): string => `${time} ${type} ${code} ${value}`;
const down = (code: string): string => record('0100', code, '01000000');
const up = (code: string): string => record('0100', code, '00000000');
const repeat = (code: string): string => record('0100', code, '02000000');
const report = record('0000', '0000', '00000000');
const dropped = record('0000', '0300', '00000000');

describe('USB keypad records', () => {
  it('decode a press of 5 on the keypad, with its scan code before and the report after it', () => {
    const scanCode = record('0400', '0400', '5d000700');
    expect(keysOf(scanCode + down('4c00') + report + scanCode + up('4c00') + report)).toBe('5');
  });

  it('decode all keys of the keypad, the main row and a telephone', () => {
    const block = ['5200', '4f00', '5000', '5100', '4b00', '4c00', '4d00', '4700', '4800', '4900', '3700', '6000'];
    const row = ['0b00', '0200', '0300', '0400', '0500', '0600', '0700', '0800', '0900', '0a00', '1c00'];
    const telephone = Array.from({ length: 12 }, (_, index) => `${index.toString(16).padStart(2, '0')}02`);
    expect(keysOf(block.map(down).join(''))).toBe('0123456789*#');
    expect(keysOf(row.map(down).join(''))).toBe('0123456789#');
    expect(keysOf(telephone.map(down).join(''))).toBe('0123456789*#');
  });

  it('give the same digits while num-lock is off, and ignore num-lock itself', () => {
    const arrows = ['6e00', '6b00', '6c00', '6d00', '6900', '4c00', '6a00', '6600', '6700', '6800'];
    expect(keysOf(arrows.map(code => down('4500') + up('4500') + down(code) + up(code)).join(''))).toBe('0123456789');
  });

  it('report a held key once', () => {
    expect(keysOf(down('4c00') + repeat('4c00').repeat(500) + up('4c00'))).toBe('5');
  });

  it('decode the two characters that need shift, and no other key with it', () => {
    expect(keysOf(down('2a00') + down('0900') + down('0400') + down('0200') + up('2a00') + down('0900'))).toBe('*#8');
  });

  it('are ignored after the kernel dropped some, until its next report', () => {
    expect(keysOf(dropped + down('4c00') + report + down('4d00'))).toBe('6');
  });

  it('ignore other keys unless the profile defines them', () => {
    expect(keysOf(down('1e00') + down('6200') + record('0200', '0400', '01000000'))).toBe('');
    expect(keysOf(down('0e00'))).toBe('*');
  });

  it('are processed completely or not at all', () => {
    expect(keysOf(down('4c00').replaceAll(' ', '').slice(0, 46))).toBe('');
  });
});

const random = new SeededRandom(runSeed());

describe('decodeKeyPress', { timeout: LONG_RUN_MS }, () => {
  it('reports keys for press events only', () => {
    const good = Buffer.alloc(24);
    good.writeUInt16LE(1, 16);
    good.writeUInt16LE(79, 18);
    good.writeInt32LE(1, 20);
    let state = initialKeyCodeState;
    let keys = 0;
    for (let frame = 0; frame < FRAMES; frame++)
      for (const event of decodeInputEvents(damageFrame(good, random))) {
        const step = decodeKeyPress(state, event, new Map());
        state = step.state;
        if (step.key === null) continue;
        if (event.type !== 1 || event.value !== 1) throw new Error(JSON.stringify(event));
        keys++;
      }
    expect(keys).toBeGreaterThan(FRAMES / 6);
  });
});
