import type { DeviceHealthRecord } from '@lintel/wire-protocol/admin/device-health-history';
import { describe, expect, it } from 'vitest';
import { listBatteryLevels, listHealthProblemPeriods, toBatteryChartPoints } from './health-history.ts';
import { listConnectionPeriods, computeOnlineShare } from './connection-history.ts';

const record = (hour: number, given: Partial<DeviceHealthRecord> = {}): DeviceHealthRecord => ({
  at: new Date(Date.UTC(2026, 5, 1, hour)).toISOString() as DeviceHealthRecord['at'],
  mains_present: true,
  battery_percent: null,
  battery_charging: null,
  faults: [],
  ...given,
});
const hours = (records: readonly DeviceHealthRecord[]) =>
  listHealthProblemPeriods(records).map(({ fault, from, until }) => [
    fault,
    from.slice(11, 13),
    until?.slice(11, 13) ?? null,
  ]);

describe('listHealthProblemPeriods', () => {
  it('lists each fault and power failure with begin and end, newest first', () => {
    const records = [
      record(1),
      record(2, { faults: ['reader:front'] }),
      record(3, { faults: ['reader:front', 'tamper'], mains_present: false }),
      record(4, { faults: ['tamper'] }),
      record(5, { faults: ['reader:front', 'tamper'] }),
    ];
    expect(hours(records)).toEqual([
      ['reader:front', '05', null],
      [null, '03', '04'],
      ['tamper', '03', null],
      ['reader:front', '02', '04'],
    ]);
  });

  it('lists no power failure of a device that never had mains power', () => {
    expect(hours([record(1, { mains_present: false }), record(2, { mains_present: null })])).toEqual([]);
  });
});

describe('toBatteryChartPoints', () => {
  it('holds each level until the next one, and the last one until now', () => {
    const levels = listBatteryLevels([
      record(0, { battery_percent: 90 }),
      record(1),
      record(2, { battery_percent: 40 }),
    ]);
    expect(toBatteryChartPoints(levels, Date.UTC(2026, 5, 1, 8))).toBe('0,10 25,10 25,60 100,60');
    expect(toBatteryChartPoints([], 0)).toBe('');
  });
});

const range = { from: 0, until: 100, isOnline: true };

describe('listConnectionPeriods', () => {
  it('returns one period without a change', () => {
    expect(listConnectionPeriods([], range)).toEqual([range]);
  });

  it('splits the range at each change, in any order, and ignores repeated and older changes', () => {
    const changes = [
      { at: 70, isOnline: true },
      { at: 60, isOnline: false },
      { at: 65, isOnline: false },
      { at: -5, isOnline: false },
    ];
    const periods = listConnectionPeriods(changes, range);
    expect(periods).toEqual([
      { from: 0, until: 60, isOnline: true },
      { from: 60, until: 70, isOnline: false },
      { from: 70, until: 100, isOnline: true },
    ]);
    expect(computeOnlineShare(periods)).toBeCloseTo(0.9);
  });
});
