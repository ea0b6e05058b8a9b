import { type PowerStatus, unknownPowerStatus } from '@lintel/access-core/power-status';

/** The current power status of the controller. */
export type PowerStatusReader = () => PowerStatus;

export const readUnknownPowerStatus: PowerStatusReader = () => unknownPowerStatus;
