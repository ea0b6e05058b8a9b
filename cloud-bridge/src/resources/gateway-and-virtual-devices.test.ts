import { describe, expect, it } from 'vitest';
import { isVirtualDevice } from './gateway-and-virtual-devices.ts';

describe('isVirtualDevice', () => {
  it('is true for a device without hardware', () => {
    expect([isVirtualDevice({ hardware_id: null }), isVirtualDevice({ hardware_id: 'hw_1' })]).toEqual([true, false]);
  });
});
