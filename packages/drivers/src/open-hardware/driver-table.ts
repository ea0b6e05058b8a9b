import type { HardwareBus, BusWithDriver } from '@lintel/hardware-profiles/buses';
import type { BusContext, OpenedBus } from './opened-bus.ts';

export type OpenBus = (bus: HardwareBus, context: BusContext) => Promise<OpenedBus>;

type Driver<D extends HardwareBus['driver']> = (bus: BusWithDriver<D>, context: BusContext) => Promise<OpenedBus>;

/** Loads only the drivers that the profile names. A native module that fails to load is a fault of that bus only. */
const drivers: { readonly [D in HardwareBus['driver']]: () => Promise<Driver<D>> } = {
  gpio: async () => (await import('./drivers/open-gpio.ts')).openGpio,
  'keyboard-wedge': async () => (await import('./drivers/open-keyboard-wedge.ts')).openKeyboardWedge,
  'matrix-keypad': async () => (await import('./drivers/open-matrix-keypad.ts')).openMatrixKeypad,
  modbus: async () => (await import('./drivers/open-modbus.ts')).openModbus,
  osdp: async () => (await import('./drivers/open-osdp.ts')).openOsdp,
  pcsc: async () => (await import('./drivers/open-pcsc.ts')).openPcsc,
  pn532: async () => (await import('./drivers/open-pn532.ts')).openPn532,
  rdm6300: async () => (await import('./drivers/open-rdm6300.ts')).openRdm6300,
  'serial-keypad': async () => (await import('./drivers/open-serial-keypad.ts')).openSerialKeypad,
  simulated: async () => async (bus, context) => {
    if (context.loadVirtualHardware === undefined)
      throw new Error('Simulated parts are not available in this program. Choose the profile of a real product');
    return (await context.loadVirtualHardware()).openBus(bus, context);
  },
  'usb-keypad': async () => (await import('./drivers/open-usb-keypad.ts')).openUsbKeypad,
  'usb-relay': async () => (await import('./drivers/open-usb-relay.ts')).openUsbRelay,
  wiegand: async () => (await import('./drivers/open-wiegand.ts')).openWiegand,
};

export const openBus: OpenBus = async (bus, context) => {
  const load = drivers[bus.driver] as () => Promise<Driver<HardwareBus['driver']>>;
  const open = await load();
  return open(bus, context);
};
