import * as z from 'zod';
import { keyboardNameSchema, wireDescriptionSchema } from './name-id-and-duration-schemas.ts';
import { createBaudRateSchema, serialPortSchema } from './serial-port-field-schemas.ts';

/* Readers for the QR codes of magic links, which send the text of a code and the end of a line. */

export const qrSerialBusSchema = z.strictObject({
  driver: z.literal('qr-serial'),
  port: serialPortSchema,
  baud_rate: createBaudRateSchema(9600),
  wire: wireDescriptionSchema,
});

export const qrKeyboardBusSchema = z.strictObject({
  driver: z.literal('qr-keyboard'),
  /** Required, because a keypad is a keyboard too. */
  device: keyboardNameSchema,
  wire: wireDescriptionSchema,
});
