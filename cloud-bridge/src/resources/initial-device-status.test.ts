import type { DeviceCapabilities } from '@lintel/wire-protocol/rest/device';
import { describe, expect, it } from 'vitest';
import { createInitialDeviceStatus } from './initial-device-status.ts';

const capabilities = (power: Partial<DeviceCapabilities> = {}): DeviceCapabilities =>
  ({ mains: true, battery: false, ...power }) as DeviceCapabilities;

describe('createInitialDeviceStatus', () => {
  it('reports a virtual device as online, with the power supply of its product', () => {
    expect(createInitialDeviceStatus(null, capabilities({ mains: false, battery: true }))).toEqual({
      online: true,
      mains_present: false,
      battery_present: true,
      battery_charging: false,
      battery_percent: 100,
    });
    expect(createInitialDeviceStatus(null, capabilities())).toEqual({
      online: true,
      mains_present: true,
      battery_present: false,
      battery_charging: false,
    });
  });

  it('reports hardware as offline, with unknown power, until it connects', () => {
    expect(createInitialDeviceStatus('hw_1', capabilities({ battery: true }))).toEqual({
      online: false,
      battery_charging: false,
    });
  });
});
