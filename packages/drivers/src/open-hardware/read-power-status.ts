import { inferPowerOfRunningDevice, type PowerStatus } from '@lintel/access-core/power-status';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { BatteryGauge } from '../power/battery-gauge-types.ts';
import type { InputLines } from '../interfaces/input-lines.ts';

/** Reads the power status from input lines and gauge. An input line takes precedence. */
export const readPowerStatus = (
  { power, capabilities }: Pick<Profile, 'power' | 'capabilities'>,
  inputs: Pick<InputLines, 'level'>,
  gauge: BatteryGauge,
): PowerStatus => {
  const isActive = (input: string): boolean | null => {
    const level = inputs.level(input);
    return level === 'unknown' ? null : level === 'active';
  };
  const { battery_present, battery_charging, battery_percent } = gauge();
  return inferPowerOfRunningDevice(capabilities, {
    mains_present: power.mains === undefined ? null : isActive(power.mains),
    battery_present: power.battery === undefined ? battery_present : isActive(power.battery),
    battery_charging: power.charging === undefined ? battery_charging : isActive(power.charging),
    battery_percent,
  });
};
