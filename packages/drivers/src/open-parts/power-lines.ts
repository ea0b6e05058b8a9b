import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { InputLines } from '../ports/input-lines.ts';

export type PowerReading = Pick<Status, 'mains_present' | 'battery_present' | 'battery_charging' | 'battery_percent'>;

/** What the lines say of the supply. What no line tells and the product leaves open is null. */
export const readPower = ({ power, capabilities }: Profile, inputs: InputLines): PowerReading => {
  const isActive = (input: string | undefined, otherwise: boolean | null): boolean | null => {
    if (input === undefined) return otherwise;
    const level = inputs.level(input);
    return level === 'unknown' ? null : level === 'active';
  };
  // Without a battery it runs, so there is mains.
  const always = capabilities.battery ? null : capabilities.mains;
  return {
    mains_present: isActive(power.mains, always),
    battery_present: isActive(power.battery, capabilities.battery ? null : false),
    battery_charging: isActive(power.charging, capabilities.battery ? null : false),
    battery_percent: null,
  };
};
