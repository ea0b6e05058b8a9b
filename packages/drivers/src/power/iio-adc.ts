import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeBatteryPercent, type BatteryVoltageRange } from '@lintel/access-core/power-status';
import { type BatteryGauge, isCellConnected } from './battery-gauge-types.ts';

export interface IioAdcOptions extends BatteryVoltageRange {
  /** Folder of the converter, such as `/sys/bus/iio/devices/iio:device0`. */
  readonly device: string;
  readonly channel: number;
  /** The battery voltage divided by the voltage at the converter. */
  readonly divider: number;
}

/** Battery voltage at an analog input whose converter the kernel drives (ADS1115, MCP3008 and others). */
export const createIioAdcGauge =
  ({ device, channel, divider, ...range }: IioAdcOptions): BatteryGauge =>
  () => {
    const read = (name: string): number => {
      const value = Number(readFileSync(join(device, `in_voltage${channel}_${name}`), 'utf8'));
      if (!Number.isFinite(value)) throw new Error(`${device}: in_voltage${channel}_${name} is not a number`);
      return value;
    };
    const millivolts = read('raw') * read('scale') * divider;
    if (!isCellConnected(millivolts)) return { battery_present: false, battery_charging: null, battery_percent: null };
    return { battery_present: true, battery_charging: null, battery_percent: computeBatteryPercent(millivolts, range) };
  };
