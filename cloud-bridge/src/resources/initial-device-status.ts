import { limitPowerStatusToCapabilities, type PowerStatus, unknownPowerStatus } from '@lintel/access-core/power-status';
import type { DeviceCapabilities, DeviceStatus } from '@lintel/wire-protocol/rest/device';

/** The fields of the API: what is unknown is absent. */
export const toPowerFields = (power: PowerStatus): Omit<DeviceStatus, 'online'> =>
  Object.fromEntries(Object.entries(power).filter(([, value]) => value !== null));

/** A virtual device is always online, with a full battery if it has one. A real device is offline until it connects. */
export const createInitialDeviceStatus = (
  hardwareId: string | null,
  capabilities: DeviceCapabilities,
): DeviceStatus => {
  if (hardwareId !== null)
    return { online: false, ...toPowerFields(limitPowerStatusToCapabilities(capabilities, unknownPowerStatus)) };
  const { mains, battery } = capabilities;
  const full = { mains_present: mains, battery_present: battery, battery_charging: false, battery_percent: 100 };
  return { online: true, ...toPowerFields(limitPowerStatusToCapabilities(capabilities, full)) };
};
