import { type PowerStatus, computeBatteryPercent, type BatteryVoltageRange } from '@lintel/access-core/power-status';
import { type I2cRegisterBus, readBigEndianWord, openI2cBus } from '@lintel/service/linux/i2c';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatteryGaugeSettings } from './settings.ts';

/** What a gauge knows about the battery; null for what it cannot measure. */
export type BatteryReading = Pick<PowerStatus, 'battery_present' | 'battery_charging' | 'battery_percent'>;

/** Reads the battery now. Throws if the gauge does not respond. */
export type BatteryGauge = () => BatteryReading;

/** Below this, no lithium cell is connected: a protected cell switches off before. */
const LOWEST_CELL_MV = 2_000;

const isCellConnected = (millivolts: number): boolean => millivolts >= LOWEST_CELL_MV;

interface IioAdcOptions extends BatteryVoltageRange {
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

/** Registers of 16 bits, high byte first. MAX17041, 17043, 17044, 17048 and 17049 have them at the same place. */
const VCELL = 0x02;
const SOC = 0x04;

/** Of the MAX17040; the upper 12 bits of the register. */
const MICROVOLTS_PER_STEP = 1_250;

/** Fuel gauge of one lithium cell, on many UPS boards. It cannot tell whether the cell charges. */
const createMax17040Gauge =
  (bus: I2cRegisterBus, address: number): BatteryGauge =>
  () => {
    const read = (register: number): number => readBigEndianWord(bus, address, register);
    const millivolts = ((read(VCELL) >> 4) * MICROVOLTS_PER_STEP) / 1_000;
    if (!isCellConnected(millivolts)) return { battery_present: false, battery_charging: null, battery_percent: null };
    // Steps of 1/256 percent; a fresh cell may exceed 100.
    const percent = Math.min(100, Math.round(read(SOC) / 256));
    return { battery_present: true, battery_charging: null, battery_percent: percent };
  };

/** Registers of 16 bits, high byte first. The values after power-up suit: 32 V, 320 mV, continuous. */
const SHUNT_VOLTAGE = 0x01;
const BUS_VOLTAGE = 0x02;

const BUS_MV_PER_STEP = 4;
const SHUNT_UV_PER_STEP = 10;
/** Smaller currents are noise, or the trickle of a full battery. */
const LEAST_CHARGING_MA = 20;

interface Ina219Options extends BatteryVoltageRange {
  readonly shunt_milliohm: number;
  /** The sign of the current while the battery charges, which depends on how the board is wired. */
  readonly charging_current: 'positive' | 'negative';
}

const toSigned = (word: number): number => (word << 16) >> 16;

/** Measures voltage and current of the battery, on many UPS boards. */
const createIna219Gauge =
  (bus: I2cRegisterBus, address: number, options: Ina219Options): BatteryGauge =>
  () => {
    const read = (register: number): number => readBigEndianWord(bus, address, register);
    const millivolts = (read(BUS_VOLTAGE) >> 3) * BUS_MV_PER_STEP;
    if (!isCellConnected(millivolts)) return { battery_present: false, battery_charging: null, battery_percent: null };
    const milliamperes = (toSigned(read(SHUNT_VOLTAGE)) * SHUNT_UV_PER_STEP) / options.shunt_milliohm;
    const charging = options.charging_current === 'positive' ? milliamperes : -milliamperes;
    return {
      battery_present: true,
      battery_charging: charging >= LEAST_CHARGING_MA,
      battery_percent: computeBatteryPercent(millivolts, options),
    };
  };

const createGauge = (options: BatteryGaugeSettings, openBus: (bus: number) => I2cRegisterBus): BatteryGauge => {
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
  options: BatteryGaugeSettings | undefined,
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
