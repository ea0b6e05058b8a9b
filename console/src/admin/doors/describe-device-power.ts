import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { AdminMessages } from '../messages/en.ts';

/** `Mains power, battery at 85 %`; null if the device reports nothing about its power. */
export const describeDevicePower = (status: DeviceResponse['status'], { doors }: AdminMessages): string | null => {
  const { mains_present, battery_present, battery_charging, battery_percent } = status;
  const parts = [
    ...(mains_present === undefined ? [] : [mains_present ? doors.mains : doors.noMains]),
    ...(battery_present === true && battery_percent !== undefined
      ? [doors.battery(Math.round(battery_percent), battery_charging === true)]
      : []),
    ...(battery_present === false ? [doors.noBattery] : []),
  ];
  const text = parts.join(', ');
  return text === '' ? null : text.charAt(0).toUpperCase() + text.slice(1);
};
