import * as z from 'zod';
import { defineDriver, onlyReader } from '../definition/define-driver.ts';
import { uidOrderSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { plugRow } from '../definition/wiring.ts';
import { checkKeyboard, keyboardNameSchema, keyboards, requireKeyboardPath, useKeyboard } from '../evdev/keyboard.ts';

/** A card reader on USB that types the number of a card. */
export const keyboardWedge = defineDriver({
  name: 'keyboard-wedge',
  title: 'USB card reader',
  settings: z.strictObject({
    /** Required, because a keypad is a keyboard too. */
    device: keyboardNameSchema,
    /** How the reader types the card number. */
    number: z.enum(['decimal', 'hexadecimal', 'facility_and_card']).default('decimal'),
    uid_order: uidOrderSchema,
    wire: wireDescriptionSchema,
  }),
  documentation: {
    products: 'USB card readers that act as a keyboard, 125 kHz and 13.56 MHz',
    price: '€',
    interface: 'USB, evdev',
    since: '0.1.0',
    verified: 'kernel (uinput), recorded',
    fields:
      '`device`: the name in `/dev/input/by-id`, `*` as wildcard; `number` (`decimal`, `hexadecimal`, `facility_and_card`), `uid_order`',
    offers: 'reader',
  },
  probes: [keyboards],
  parts: onlyReader,
  exclusive: ({ device }) => useKeyboard(device),
  wiring: ({ wire }, bus) => ({ rows: [plugRow('USB', wire ?? 'card reader', bus)] }),
  doctor: (bus, check) => checkKeyboard(check, bus, 'USB card reader'),
  open: async ({ device, number, uid_order }, { clock, log, name }) => {
    const { KeyboardWedgeReader } = await import('./reader.ts');
    const path = requireKeyboardPath(device);
    log('info', 'Card reader opened', { bus: name, path });
    const reader = new KeyboardWedgeReader({ path, clock, number, uid_order });
    return { readers: new Map([[name, reader]]), close: async () => reader.close() };
  },
});
