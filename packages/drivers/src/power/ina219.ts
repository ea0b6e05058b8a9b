import { computeBatteryPercent, type BatteryVoltageRange } from '@lintel/access-core/power-status';
import { type I2cRegisterBus, readBigEndianWord } from '@lintel/service/linux/i2c';
import { type BatteryGauge, isCellConnected } from './battery-gauge-types.ts';

/** Registers of 16 bits, high byte first. The values after power-up suit: 32 V, 320 mV, continuous. */
const SHUNT_VOLTAGE = 0x01;
const BUS_VOLTAGE = 0x02;

const BUS_MV_PER_STEP = 4;
const SHUNT_UV_PER_STEP = 10;
/** Smaller currents are noise, or the trickle of a full battery. */
const LEAST_CHARGING_MA = 20;

export interface Ina219Options extends BatteryVoltageRange {
  readonly shunt_milliohm: number;
  /** The sign of the current while the battery charges, which depends on how the board is wired. */
  readonly charging_current: 'positive' | 'negative';
}

const toSigned = (word: number): number => (word << 16) >> 16;

/** Measures voltage and current of the battery, on many UPS boards. */
export const createIna219Gauge =
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
