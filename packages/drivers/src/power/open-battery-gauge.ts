import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { type I2cRegisterBus, openI2cBus } from '@lintel/service/linux/i2c';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { BatteryGauge, BatteryReading } from './battery-gauge-types.ts';
import { createIioAdcGauge } from './iio-adc.ts';
import { createIna219Gauge } from './ina219.ts';
import { createMax17040Gauge } from './max17040.ts';

type GaugeOptions = NonNullable<Profile['power']['gauge']>;

const createGauge = (options: GaugeOptions, openBus: (bus: number) => I2cRegisterBus): BatteryGauge => {
  if (options.driver === 'iio-adc') return createIioAdcGauge(options);
  const bus = openBus(options.bus);
  return options.driver === 'max17040'
    ? createMax17040Gauge(bus, options.address)
    : createIna219Gauge(bus, options.address, options);
};

const unknownBattery: BatteryReading = { battery_present: null, battery_charging: null, battery_percent: null };

/** A battery changes slowly. A gauge that hangs delays the controller only this often. */
const REFRESH_MS = 10_000;

interface GaugeContext {
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly log: Log;
}

/** Reads the gauge at most every 10 s. Its values are unknown while it does not respond, which is logged once. */
export const openBatteryGauge = (
  options: GaugeOptions | undefined,
  { clock, log }: GaugeContext,
  openBus: (bus: number) => I2cRegisterBus = openI2cBus,
): BatteryGauge => {
  if (options === undefined) return () => unknownBattery;
  const gauge = createGauge(options, openBus);
  let reading = unknownBattery;
  let readAt: number | null = null;
  let problem: string | null = null;
  return () => {
    const now = clock.now();
    if (readAt !== null && now - readAt < REFRESH_MS) return reading;
    readAt = now;
    try {
      reading = gauge();
      problem = null;
    } catch (error) {
      const { message } = error as Error;
      if (problem === null) log('warn', `The battery gauge ${options.driver} does not respond: ${message}`);
      problem = message;
      reading = unknownBattery;
    }
    return reading;
  };
};
