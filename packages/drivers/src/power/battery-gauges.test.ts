import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatteryReading, createIioAdcGauge, openBatteryGauge } from './battery-gauges.ts';
import { batteryGaugeSchema } from './settings.ts';
import { SimulatedI2cBus } from '@lintel/test/support/hardware/simulated-i2c-bus';

const unknown: BatteryReading = { battery_present: null, battery_charging: null, battery_percent: null };

let bus: SimulatedI2cBus;
let now: number;
let logged: string[];
beforeEach(() => {
  bus = new SimulatedI2cBus();
  now = 0;
  logged = [];
});

const gaugeOf = (gauge: object) =>
  openBatteryGauge(
    batteryGaugeSchema.parse(gauge),
    { clock: { now: () => now as never }, log: (_level, message) => void logged.push(message) },
    () => bus,
  );

describe('MAX17040 battery gauge', () => {
  it('reads voltage and charge of the cell, high byte first', () => {
    bus.setRegister(0x36, 0x02, 0xc350);
    bus.setRegister(0x36, 0x04, 0x57_80);
    expect(gaugeOf({ driver: 'max17040' })()).toEqual({
      battery_present: true,
      battery_charging: null,
      battery_percent: 88,
    });
    expect(bus.transfers).toEqual(['36 <- 02 -> c350', '36 <- 04 -> 5780']);
  });

  it('limits the charge to 100, and has none without a cell', () => {
    bus.setRegister(0x36, 0x02, 0xd480);
    bus.setRegister(0x36, 0x04, 0x66_00);
    const read = gaugeOf({ driver: 'max17040' });
    expect(read().battery_percent).toBe(100);
    bus.setRegister(0x36, 0x02, 0x0320);
    now += 10_000;
    expect(read()).toEqual({ ...unknown, battery_present: false });
  });
});

describe('INA219 battery gauge', () => {
  const gauge = { driver: 'ina219', address: 0x42, empty_mv: 6_000, full_mv: 8_400, shunt_milliohm: 100 };
  const setVoltage = (millivolts: number): void => bus.setRegister(0x42, 0x02, ((millivolts / 4) << 3) | 0b10);
  const setCurrent = (milliamperes: number): void => bus.setRegister(0x42, 0x01, (milliamperes * 100) / 10);

  it('derives the charge from the voltage and charging from the sign of the current', () => {
    setVoltage(7_200);
    setCurrent(350);
    const read = gaugeOf(gauge);
    expect(read()).toEqual({ battery_present: true, battery_charging: true, battery_percent: 50 });
    expect(bus.transfers[0]).toBe('42 <- 02 -> 3842');
    setCurrent(-800);
    now += 10_000;
    expect(read()).toMatchObject({ battery_charging: false });
    expect(gaugeOf({ ...gauge, charging_current: 'negative' })()).toMatchObject({ battery_charging: true });
  });

  it('is read at most every 10 s, is unknown while it does not respond, and logs that once', () => {
    setVoltage(8_400);
    const read = gaugeOf(gauge);
    expect([read(), read()].map(({ battery_percent }) => battery_percent)).toEqual([100, 100]);
    expect(bus.transfers).toHaveLength(2);
    bus.remove(0x42);
    for (let count = 0; count < 3; count++) {
      now += 10_000;
      expect(read()).toEqual(unknown);
    }
    expect(logged).toEqual(['The battery gauge ina219 does not respond: ioctl: EREMOTEIO']);
    setVoltage(6_000);
    now += 10_000;
    expect(read().battery_percent).toBe(0);
  });
});

describe('analog battery input', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-adc-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('scales the value of the converter', () => {
    writeFileSync(join(folder, 'in_voltage2_raw'), '900\n');
    writeFileSync(join(folder, 'in_voltage2_scale'), '2.000000\n');
    const read = createIioAdcGauge({ device: folder, channel: 2, divider: 2, empty_mv: 3_000, full_mv: 4_200 });
    expect(read()).toEqual({ battery_present: true, battery_charging: null, battery_percent: 50 });
    writeFileSync(join(folder, 'in_voltage2_raw'), 'none\n');
    expect(read).toThrow('is not a number');
  });
});
