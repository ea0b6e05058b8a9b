import type { DeviceCapabilities } from '@lintel/wire-protocol/rest/device';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import { checkGadgetCount, firstStatus, idsOf, isVirtual } from './device-constraints.ts';

const capabilities = (gadgets: string, most: number, power: Partial<DeviceCapabilities> = {}): DeviceCapabilities =>
  ({ gadgets, gadget_max_count: most, mains: true, battery: false, ...power }) as DeviceCapabilities;

describe('checkGadgetCount', () => {
  it.each([
    ['none', 0, [0], [1, 2]],
    ['single', 1, [1], [0, 2]],
    ['multiple', 3, [0, 1, 3], [4]],
  ])('with gadgets: %s and at most %i accepts %j and rejects %j', (gadgets, most, accepted, rejected) => {
    const check = (count: number) => () => checkGadgetCount(capabilities(gadgets, most), count, 'gadgets');
    for (const count of accepted) expect(check(count)).not.toThrow();
    for (const count of rejected) expect(check(count)).toThrow(ApiError);
  });

  it('names the field that the caller gives', () => {
    expect(() => checkGadgetCount(capabilities('none', 0), 1, 'device_id')).toThrow(
      expect.objectContaining({ args: { field: 'device_id' } }),
    );
  });
});

describe('firstStatus', () => {
  it('shows a virtual device online, powered by what its product has', () => {
    expect(firstStatus(null, capabilities('none', 0, { mains: false, battery: true }))).toEqual({
      online: true,
      mains_present: false,
      battery_present: true,
      battery_charging: false,
      battery_percent: 100,
    });
    expect(firstStatus(null, capabilities('none', 0)).battery_percent).toBe(0);
  });

  it('assumes nothing about hardware that has not connected', () => {
    expect(firstStatus('hw_1', capabilities('none', 0, { battery: true }))).toEqual({
      online: false,
      mains_present: false,
      battery_present: false,
      battery_charging: false,
      battery_percent: 0,
    });
  });
});

describe('isVirtual', () => {
  it('is true for a device without hardware', () => {
    expect([isVirtual({ hardware_id: null }), isVirtual({ hardware_id: 'hw_1' })]).toEqual([true, false]);
  });
});

describe('idsOf', () => {
  it('returns the ids of stored parts in their order', () => {
    expect(idsOf('[{"id":"open","name":"Open"},{"id":"close","name":"Close"}]')).toEqual(['open', 'close']);
    expect(idsOf('[]')).toEqual([]);
  });
});
