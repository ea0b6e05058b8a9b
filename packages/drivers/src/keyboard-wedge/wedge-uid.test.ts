import { describe, expect, it } from 'vitest';
import { decodeWedgeUid } from './reader.ts';

describe('decodeWedgeUid', () => {
  it.each([
    ['0010597059', 'decimal', '00a1b2c3'],
    ['4294967295', 'decimal', 'ffffffff'],
    ['0424881372973', 'decimal', '000062ece73f2d'],
    ['06503000', 'facility_and_card', '00410bb8'],
    ['04a1b2c3', 'hexadecimal', '04a1b2c3'],
    ['62e3086ced', 'hexadecimal', '000062e3086ced'],
    ['04a1b2c3d4e5f6', 'hexadecimal', '04a1b2c3d4e5f6'],
  ] as const)('reads %s as %s', (text, number, uid) => {
    expect(decodeWedgeUid(text, number, 'as_sent')).toBe(uid);
  });

  it('reverses the bytes that the reader read, not the zeros that fill up the uid', () => {
    expect(decodeWedgeUid('04a1b2c3', 'hexadecimal', 'reversed')).toBe('c3b2a104');
    expect(decodeWedgeUid('0010597059', 'decimal', 'reversed')).toBe('c3b2a100');
    expect(decodeWedgeUid('62e3086ced', 'hexadecimal', 'reversed')).toBe('0000ed6c08e362');
  });

  it.each([
    ['00a1b2c3', 'decimal'],
    ['1234', 'decimal'],
    ['25600001', 'facility_and_card'],
    ['00165536', 'facility_and_card'],
    ['04a1b2c', 'hexadecimal'],
    ['04a1', 'hexadecimal'],
  ] as const)('rejects %s as %s', (text, number) => {
    expect(decodeWedgeUid(text, number, 'as_sent')).toBeNull();
  });
});
