import type { DeviceCapabilities } from '@lintel/wire-protocol/rest/device';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import {
  requireAllowedGadgetCount,
  createInitialDeviceStatus,
  parseIdsOfJsonObjects,
  isVirtualDevice,
} from './device-and-gadget-row-helpers.ts';

const capabilities = (gadgets: string, maxCount: number, power: Partial<DeviceCapabilities> = {}): DeviceCapabilities =>
  ({ gadgets, gadget_max_count: maxCount, mains: true, battery: false, ...power }) as DeviceCapabilities;

describe('requireAllowedGadgetCount', () => {
  it.each([
    ['none', 0, [0], [1, 2]],
    ['single', 1, [1], [0, 2]],
    ['multiple', 3, [0, 1, 3], [4]],
  ])('with gadgets: %s and at most %i accepts %j and rejects %j', (gadgets, maxCount, accepted, rejected) => {
    const check = (count: number) => () => requireAllowedGadgetCount(capabilities(gadgets, maxCount), count, 'gadgets');
    for (const count of accepted) expect(check(count)).not.toThrow();
    for (const count of rejected) expect(check(count)).toThrow(ApiError);
  });

  it('reports the field that the caller passes', () => {
    expect(() => requireAllowedGadgetCount(capabilities('none', 0), 1, 'device_id')).toThrow(
      expect.objectContaining({ args: { field: 'device_id' } }),
    );
  });
});

describe('createInitialDeviceStatus', () => {
  it('reports a virtual device as online, with the power supply of its product', () => {
    expect(createInitialDeviceStatus(null, capabilities('none', 0, { mains: false, battery: true }))).toEqual({
      online: true,
      mains_present: false,
      battery_present: true,
      battery_charging: false,
      battery_percent: 100,
    });
    expect(createInitialDeviceStatus(null, capabilities('none', 0))).toEqual({
      online: true,
      mains_present: true,
      battery_present: false,
      battery_charging: false,
    });
  });

  it('reports hardware as offline, with unknown power, until it connects', () => {
    expect(createInitialDeviceStatus('hw_1', capabilities('none', 0, { battery: true }))).toEqual({
      online: false,
      battery_charging: false,
    });
  });
});

describe('isVirtualDevice', () => {
  it('is true for a device without hardware', () => {
    expect([isVirtualDevice({ hardware_id: null }), isVirtualDevice({ hardware_id: 'hw_1' })]).toEqual([true, false]);
  });
});

describe('parseIdsOfJsonObjects', () => {
  it('returns the ids of a stored list in order', () => {
    expect(parseIdsOfJsonObjects('[{"id":"open","name":"Open"},{"id":"close","name":"Close"}]')).toEqual([
      'open',
      'close',
    ]);
    expect(parseIdsOfJsonObjects('[]')).toEqual([]);
  });
});
