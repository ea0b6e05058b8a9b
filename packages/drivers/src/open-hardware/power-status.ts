import type { PowerStatus } from '../ports/power-supply.ts';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { InputLines } from '../ports/input-lines.ts';

/**
 * Reads the power status from the input lines. Null for values without an input that the product does not define
 * either.
 */
export const readPowerStatus = ({ power, capabilities }: Profile, inputs: InputLines): PowerStatus => {
  const isActive = (input: string | undefined, otherwise: boolean | null): boolean | null => {
    if (input === undefined) return otherwise;
    const level = inputs.level(input);
    return level === 'unknown' ? null : level === 'active';
  };
  // A running device without a battery has mains.
  const always = capabilities.battery ? null : capabilities.mains;
  return {
    mains_present: isActive(power.mains, always),
    battery_present: isActive(power.battery, capabilities.battery ? null : false),
    battery_charging: isActive(power.charging, capabilities.battery ? null : false),
    battery_percent: null,
  };
};
