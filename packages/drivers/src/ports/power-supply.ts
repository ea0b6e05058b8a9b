import type { DeviceStatusMessage } from '@lintel/wire-protocol/mqtt/messages/status';

/** Null: the board cannot measure it. */
export type PowerStatus = Pick<
  DeviceStatusMessage,
  'mains_present' | 'battery_present' | 'battery_charging' | 'battery_percent'
>;

/** The current power status of the controller. */
export type PowerSupply = () => PowerStatus;

export const unknownPowerSupply: PowerSupply = () => ({
  mains_present: null,
  battery_present: null,
  battery_charging: null,
  battery_percent: null,
});
