import type { DeviceCapabilities } from '@lintel/wire-protocol/rest/device';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { DeviceRow } from '../storage/schema.ts';

export const parseDeviceCapabilities = (device: Pick<DeviceRow, 'capabilities'>): DeviceCapabilities =>
  JSON.parse(device.capabilities) as DeviceCapabilities;

/** Checks the total number of gadgets of a device. `single` requires exactly one. */
export const requireAllowedGadgetCount = (capabilities: DeviceCapabilities, count: number, field: string): void => {
  const { gadgets, gadget_max_count: maxCount } = capabilities;
  if (gadgets === 'none' && count > 0)
    throw createInvalidFieldError(field, 'is invalid: a device of this product cannot have gadgets');
  if (gadgets === 'single' && count !== 1)
    throw createInvalidFieldError(field, 'is invalid: a device of this product has exactly one gadget');
  if (count > maxCount)
    throw createInvalidFieldError(field, `is invalid: a device of this product has at most ${maxCount} gadgets`);
};
