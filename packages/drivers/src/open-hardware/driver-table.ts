import type { HardwareBus, BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import type { OpenedBus } from './opened-bus.ts';
import type { BusContext } from './hardware-driver-context.ts';

export type BusOpener = (bus: HardwareBus, context: BusContext) => Promise<OpenedBus>;

type Driver<D extends HardwareBus['driver']> = (bus: BusWithDriver<D>, context: BusContext) => Promise<OpenedBus>;

/** Loads only the drivers that the profile names. A native module that fails to load is a fault of that bus only. */
const drivers: { readonly [D in HardwareBus['driver']]: () => Promise<Driver<D>> } = {
  gpio: async () => (await import('./drivers/open-gpio.ts')).openGpio,
  'hid-relay': async () => (await import('./drivers/open-hid-relay.ts')).openHidRelay,
  'http-relay': async () => (await import('./drivers/open-network-relays.ts')).openHttpRelay,
  'keyboard-wedge': async () => (await import('./drivers/open-keyboard-wedge.ts')).openKeyboardWedge,
  'matrix-keypad': async () => (await import('./drivers/open-matrix-keypad.ts')).openMatrixKeypad,
  mcp23017: async () => (await import('./drivers/open-mcp23017.ts')).openMcp23017,
  modbus: async () => (await import('./drivers/open-modbus.ts')).openModbus,
  'modbus-tcp': async () => (await import('./drivers/open-modbus.ts')).openModbusTcp,
  osdp: async () => (await import('./drivers/open-osdp.ts')).openOsdp,
  pcsc: async () => (await import('./drivers/open-pcsc.ts')).openPcsc,
  pn532: async () => (await import('./drivers/open-pn532.ts')).openPn532,
  'pn532-i2c': async () => (await import('./drivers/open-pn532.ts')).openPn532OnI2c,
  'pn532-spi': async () => (await import('./drivers/open-pn532.ts')).openPn532OnSpi,
  'qr-keyboard': async () => (await import('./drivers/open-qr-readers.ts')).openKeyboardQrReader,
  'qr-serial': async () => (await import('./drivers/open-qr-readers.ts')).openSerialQrReader,
  rc522: async () => (await import('./drivers/open-rc522.ts')).openRc522,
  rdm6300: async () => (await import('./drivers/open-rdm6300.ts')).openRdm6300,
  'serial-keypad': async () => (await import('./drivers/open-serial-keypad.ts')).openSerialKeypad,
  shelly: async () => (await import('./drivers/open-network-relays.ts')).openShelly,
  simulated: async () => async (bus, context) => {
    if (context.loadVirtualHardware === undefined)
      throw new Error('Simulated parts are not available in this program. Choose the profile of a real product');
    return (await context.loadVirtualHardware()).openBus(bus, context);
  },
  'usb-keypad': async () => (await import('./drivers/open-usb-keypad.ts')).openUsbKeypad,
  'usb-relay': async () => (await import('./drivers/open-usb-relay.ts')).openUsbRelay,
  wiegand: async () => (await import('./drivers/open-wiegand.ts')).openWiegand,
};

export const openBus: BusOpener = async (bus, context) => {
  const load = drivers[bus.driver] as () => Promise<Driver<HardwareBus['driver']>>;
  const open = await load();
  return open(bus, context);
};
