import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';

/** Null: the board cannot tell. */
export type PowerReading = Pick<Status, 'mains_present' | 'battery_present' | 'battery_charging' | 'battery_percent'>;

/** What the controller runs on now. */
export type PowerSupply = () => PowerReading;

export const unknownPower: PowerSupply = () => ({
  mains_present: null,
  battery_present: null,
  battery_charging: null,
  battery_percent: null,
});
