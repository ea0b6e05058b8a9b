import { describe, expect, it } from 'vitest';
import { laidOut, masterBootRecord } from './partition-table.ts';

describe('partition table', () => {
  it('has the expected bytes', () => {
    const sector = masterBootRecord(0x90613706, [
      { start: 8192, sectors: 196_608, type: 0x0c, isActive: true },
      { start: 204_800, sectors: 239_656, type: 0x83 },
    ]);
    expect(sector.subarray(440, 446).toString('hex')).toBe('063761900000');
    expect(sector.subarray(446, 462).toString('hex')).toBe('80feffff0cfeffff0020000000000300');
    expect(sector.subarray(462, 478).toString('hex')).toBe('00feffff83feffff0020030028a80300');
    expect(sector.subarray(478, 510).every(byte => byte === 0)).toBe(true);
    expect(sector.subarray(510).toString('hex')).toBe('55aa');
    expect(sector.subarray(0, 440).every(byte => byte === 0)).toBe(true);
  });

  it('has room for four partitions', () => {
    expect(() =>
      masterBootRecord(
        1,
        Array.from({ length: 5 }, () => ({ start: 1, sectors: 1, type: 1 })),
      ),
    ).toThrow('four');
  });

  it('aligns consecutive partitions to 4 MiB', () => {
    const { partitions, totalBytes } = laidOut([
      { bytes: 1, type: 0x0c },
      { bytes: (4 << 20) + 513, type: 0x83 },
      { bytes: 4 << 20, type: 0x83 },
    ]);
    expect(partitions.map(({ start, sectors }) => [start, sectors])).toEqual([
      [8192, 1],
      [16_384, 8194],
      [32_768, 8192],
    ]);
    expect(totalBytes).toBe(40_960 * 512);
  });
});
