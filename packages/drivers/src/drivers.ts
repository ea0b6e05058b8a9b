import * as z from 'zod';
import type { BusContext, OpenedBus } from './definition/context.ts';
import type { Driver } from './definition/define-driver.ts';
import { devantechEth } from './devantech-eth/index.ts';
import { gpio } from './gpio/index.ts';
import { hidRelay } from './hid-relay/index.ts';
import { httpRelay } from './http-relay/index.ts';
import { keyboardWedge } from './keyboard-wedge/index.ts';
import { matrixKeypad } from './matrix-keypad/index.ts';
import { mcp23017 } from './mcp23017/index.ts';
import { modbus, modbusTcp } from './modbus/index.ts';
import { osdp } from './osdp/index.ts';
import { pcsc } from './pcsc/index.ts';
import { pn532, pn532I2c, pn532Spi } from './pn532/index.ts';
import { qrKeyboard, qrSerial } from './qr/index.ts';
import { rc522 } from './rc522/index.ts';
import { rdm6300 } from './rdm6300/index.ts';
import { serialKeypad } from './serial-keypad/index.ts';
import { shelly } from './shelly/index.ts';
import { simulated } from './simulated/index.ts';
import { usbKeypad } from './usb-keypad/index.ts';
import { usbRelay } from './usb-relay/index.ts';
import { wiegand } from './wiegand/index.ts';

/** All drivers, in the order of the documentation. */
export const drivers = [
  gpio,
  wiegand,
  matrixKeypad,
  usbKeypad,
  keyboardWedge,
  qrKeyboard,
  qrSerial,
  serialKeypad,
  pcsc,
  pn532,
  pn532I2c,
  pn532Spi,
  rc522,
  rdm6300,
  osdp,
  modbus,
  modbusTcp,
  usbRelay,
  hidRelay,
  mcp23017,
  shelly,
  httpRelay,
  devantechEth,
  simulated,
] as const;

const schemasOf = <T extends readonly { readonly schema: z.ZodType }[]>(all: T) =>
  all.map(({ schema }) => schema) as unknown as { readonly [K in keyof T]: T[K]['schema'] };

/** The settings of a bus in a profile, by its driver. */
export const hardwareBusSchema = z.discriminatedUnion('driver', schemasOf(drivers), {
  error: 'must have a known driver',
});
export type HardwareBus = z.infer<typeof hardwareBusSchema>;
export type BusWithDriver<D extends HardwareBus['driver']> = Extract<HardwareBus, { driver: D }>;

const byName = new Map<string, Driver>(drivers.map(driver => [driver.name, driver]));

/** The driver of a bus whose settings are valid. */
export const driverOf = ({ driver }: HardwareBus): Driver => byName.get(driver)!;

export type BusOpener = (bus: HardwareBus, context: BusContext) => Promise<OpenedBus>;

export const openBus: BusOpener = (bus, context) => driverOf(bus).open(bus, context);
