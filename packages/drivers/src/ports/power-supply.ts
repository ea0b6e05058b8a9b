import { type PowerStatus, unknownPower } from '@lintel/access-core/power-status';

/** The current power status of the controller. */
export type PowerSupply = () => PowerStatus;

export const unknownPowerSupply: PowerSupply = () => unknownPower;
