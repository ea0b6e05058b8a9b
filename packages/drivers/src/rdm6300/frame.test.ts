import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rdm6300FrameStream } from './reader.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const text = (characters: string): Uint8Array => Uint8Array.from(Buffer.from(characters, 'latin1'));
const damageIn = (...pieces: readonly Uint8Array[]): number => {
  let damage = 0;
  const stream = new Rdm6300FrameStream(() => damage++);
  for (const piece of pieces) stream.take(piece);
  return damage;
};
const tagsIn = (...pieces: readonly Uint8Array[]): string[] => {
  const stream = new Rdm6300FrameStream();
  return pieces.flatMap(piece => stream.take(piece)).map(hex);
};

/** Tag 62E3086CED of a data sheet: 62 ^ E3 ^ 08 ^ 6C ^ ED = 08. */
const golden = '\x0262E3086CED08\x03';

describe('RDM6300 frames', () => {
  it('give five bytes, in upper or lower case, with or without a line end', () => {
    expect(tagsIn(text(golden))).toEqual(['62e3086ced']);
    expect(tagsIn(text(golden.toLowerCase()))).toEqual(['62e3086ced']);
    expect(tagsIn(text('\x0262E3086CED08\r\n\x03'))).toEqual(['62e3086ced']);
    expect(tagsIn(text('\x02000000000000\x03'))).toEqual(['0000000000']);
  });

  it('of a real RDM630 give the number of the tag', () => {
    // Recorded at the TX pin with a logic analyzer: rfid/em4100/rdm630 of the sigrok-dumps. The names have the numbers.
    const recorded = {
      '010784f221': '0230313037383446323231353103',
      '3b0033aaf2': '0233423030333341414632353003',
      '8400043916': '0238343030303433393136414603',
    };
    for (const [tag, bytes] of Object.entries(recorded)) expect(tagsIn(Buffer.from(bytes, 'hex'))).toEqual([tag]);
  });

  it('may arrive in any pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(28), { maxLength: 5 }), cuts => {
        const [bytes, at] = [text(golden + golden), [0, ...cuts.sort((a, b) => a - b), 28]];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(tagsIn(...pieces)).toEqual(['62e3086ced', '62e3086ced']);
        expect(damageIn(...pieces)).toBe(0);
      }),
    );
  });

  it('with a wrong checksum, length or character give no tag', () => {
    for (const frame of [
      '\x0262E3086CED09\x03',
      '\x0262E3086CED0\x03',
      '\x0262E3086CED088\x03',
      '\x0262E3086CEG08\x03',
    ])
      expect(tagsIn(text(frame))).toEqual([]);
  });

  it('that are truncated do not damage the next one', () => {
    expect(tagsIn(text('\x0262E308'), text(golden))).toEqual(['62e3086ced']);
  });

  it('count as one damage each when invalid, as does each piece of noise', () => {
    for (const frame of [
      '\x0262E3086CED09\x03',
      '\x0262E3086CED0\x03',
      '\x0262E3086CED088\x03',
      '\x0262E3086CEG08\x03',
    ])
      expect(damageIn(text(golden + frame + golden))).toBe(1);
    expect(damageIn(text('\x0262E308'), text(golden))).toBe(1);
    expect(damageIn(text('\xff\xfe\x80'), text('\xf0\xf0'))).toBe(2);
    expect(damageIn(text(`${golden}\r\n${golden}`))).toBe(0);
  });
});
