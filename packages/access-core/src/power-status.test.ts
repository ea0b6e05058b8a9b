import { describe, expect, it } from 'vitest';
import {
  computeBatteryPercent,
  limitPowerStatusToCapabilities,
  inferPowerOfRunningDevice,
  unknownPowerStatus,
} from './power-status.ts';

const mainsOnly = { mains: true, battery: false, battery_rechargeable: false };
const withBackup = { mains: true, battery: true, battery_rechargeable: true };
const batteryOnly = { mains: false, battery: true, battery_rechargeable: false };

describe('inferPowerOfRunningDevice', () => {
  it('is mains for a product without a battery', () => {
    expect(inferPowerOfRunningDevice(mainsOnly, unknownPowerStatus)).toEqual({
      mains_present: true,
      battery_present: false,
      battery_charging: false,
      battery_percent: null,
    });
  });

  it('is the battery for a product without mains, which never charges', () => {
    const measured = { ...unknownPowerStatus, battery_charging: true, battery_percent: 40 };
    expect(inferPowerOfRunningDevice(batteryOnly, measured)).toEqual({
      mains_present: false,
      battery_present: true,
      battery_charging: false,
      battery_percent: 40,
    });
  });

  it('leaves unknown what nothing measures', () => {
    expect(inferPowerOfRunningDevice(withBackup, unknownPowerStatus)).toEqual(unknownPowerStatus);
  });

  it('has no charge without a battery and no charging without mains', () => {
    const measured = { mains_present: true, battery_present: false, battery_charging: true, battery_percent: 3 };
    expect(inferPowerOfRunningDevice(withBackup, measured)).toMatchObject({
      battery_charging: false,
      battery_percent: null,
    });
    const cut = { mains_present: false, battery_present: true, battery_charging: true, battery_percent: 90 };
    expect(inferPowerOfRunningDevice(withBackup, cut)).toMatchObject({ battery_charging: false, battery_percent: 90 });
  });
});

describe('limitPowerStatusToCapabilities', () => {
  it('does not conclude that a device runs', () => {
    expect(limitPowerStatusToCapabilities(mainsOnly, unknownPowerStatus).mains_present).toBeNull();
  });
});

describe('computeBatteryPercent', () => {
  it('is linear between empty and full, and limited to them', () => {
    const range = { empty_mv: 3_000, full_mv: 4_200 };
    expect([2_900, 3_000, 3_600, 4_200, 4_300].map(mv => computeBatteryPercent(mv, range))).toEqual([
      0, 0, 50, 100, 100,
    ]);
  });
});
