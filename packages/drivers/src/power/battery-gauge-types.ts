import type { PowerStatus } from '@lintel/access-core/power-status';

/** What a gauge knows about the battery; null for what it cannot measure. */
export type BatteryReading = Pick<PowerStatus, 'battery_present' | 'battery_charging' | 'battery_percent'>;

/** Reads the battery now. Throws if the gauge does not respond. */
export type BatteryGauge = () => BatteryReading;

/** Below this, no lithium cell is connected: a protected cell switches off before. */
const LOWEST_CELL_MV = 2_000;

export const isCellConnected = (millivolts: number): boolean => millivolts >= LOWEST_CELL_MV;
