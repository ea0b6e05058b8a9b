import { imageProfile } from '../image/virtual-machine/image-hardware-profile.ts';
import { EXPANDER_ADDRESS, EXPANDER_BUS, KEYPAD_LINK, READER_LINK, STRIKE_LINE } from './virtual-machine-settings.ts';

/** A door whose strike is on a port expander and whose lights are on a USB relay, with a USB keypad, a keyboard-wedge reader and a Bluetooth adapter. */
export const kernelProfile = {
  ...imageProfile,
  product_id: 'kernel-test',
  // An emulated machine exceeds the time limit of a real one.
  bluetooth: { adapter: 'hci0', round_trip_ms: 10_000 },
  // Long enough for the test to see it on a busy machine.
  gadgets: imageProfile.gadgets.map(gadget => ({ ...gadget, strike_ms: 10_000 })),
  buses: {
    expander: {
      driver: 'mcp23017',
      bus: EXPANDER_BUS,
      address: EXPANDER_ADDRESS,
      outputs: { door_relay: { line: STRIKE_LINE } },
    },
    lights: { driver: 'hid-relay', serial: 'LINTL', outputs: { green: { relay: 1 }, red: { relay: 2 } } },
    keypad: { driver: 'usb-keypad', device: KEYPAD_LINK },
    reader: { driver: 'keyboard-wedge', device: READER_LINK },
  },
  stations: { main: { ...imageProfile.stations.main, indicator: { green: 'green', red: 'red' } } },
  feedback: { granted: [{ step: 'pulse', output: 'green', ms: 30_000 }] },
};
