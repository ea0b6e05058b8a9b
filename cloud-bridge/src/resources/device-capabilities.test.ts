import type { DeviceCapabilities } from '@lintel/wire-protocol/rest/device';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import { requireAllowedGadgetCount } from './device-capabilities.ts';

const capabilities = (gadgets: string, maxCount: number): DeviceCapabilities =>
  ({ gadgets, gadget_max_count: maxCount }) as DeviceCapabilities;

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
