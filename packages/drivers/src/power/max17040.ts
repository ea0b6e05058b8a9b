import { type I2cRegisterBus, readBigEndianWord } from '@lintel/service/linux/i2c';
import { type BatteryGauge, isCellConnected } from './battery-gauge-types.ts';

/** Registers of 16 bits, high byte first. MAX17041, 17043, 17044, 17048 and 17049 have them at the same place. */
const VCELL = 0x02;
const SOC = 0x04;

/** Of the MAX17040; the upper 12 bits of the register. */
const MICROVOLTS_PER_STEP = 1_250;

/** Fuel gauge of one lithium cell, on many UPS boards. It cannot tell whether the cell charges. */
export const createMax17040Gauge =
  (bus: I2cRegisterBus, address: number): BatteryGauge =>
  () => {
    const read = (register: number): number => readBigEndianWord(bus, address, register);
    const millivolts = ((read(VCELL) >> 4) * MICROVOLTS_PER_STEP) / 1_000;
    if (!isCellConnected(millivolts)) return { battery_present: false, battery_charging: null, battery_percent: null };
    // Steps of 1/256 percent; a fresh cell may exceed 100.
    const percent = Math.min(100, Math.round(read(SOC) / 256));
    return { battery_present: true, battery_charging: null, battery_percent: percent };
  };
