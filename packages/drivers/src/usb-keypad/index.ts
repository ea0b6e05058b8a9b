import * as z from 'zod';
import { defineDriver, onlyKeypad } from '../definition/define-driver.ts';
import { wireDescriptionSchema } from '../definition/fields.ts';
import { plugRow } from '../definition/wiring.ts';
import { checkKeyboard, keyboardNameSchema, keyboards, requireKeyboardPath, useKeyboard } from '../evdev/keyboard.ts';

/** A number pad or keyboard on USB. */
export const usbKeypad = defineDriver({
  name: 'usb-keypad',
  title: 'USB keypad',
  settings: z.strictObject({ device: keyboardNameSchema.default('*-event-kbd'), wire: wireDescriptionSchema }),
  documentation: {
    products: 'USB number pads',
    price: '€',
    interface: 'USB, evdev',
    since: '0.1.0',
    verified: 'kernel (uinput), recorded',
    fields: '`device`: the name in `/dev/input/by-id`, `*` as wildcard',
    offers: 'keypad',
  },
  probes: [keyboards],
  parts: onlyKeypad,
  exclusive: ({ device }) => useKeyboard(device),
  wiring: ({ wire }, bus) => ({ rows: [plugRow('USB', wire ?? 'keypad', bus)] }),
  doctor: (bus, check) => checkKeyboard(check, bus, 'USB keypad'),
  open: async ({ device }, { clock, log, name }) => {
    const { UsbKeypad } = await import('./keypad.ts');
    const path = requireKeyboardPath(device);
    log('info', 'Keypad opened', { bus: name, path });
    const keypad = new UsbKeypad({ path, clock });
    return { keypads: new Map([[name, keypad]]), close: async () => keypad.close() };
  },
});
