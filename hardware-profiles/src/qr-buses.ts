import * as z from 'zod';
import { keyboardNameSchema, wireDescriptionSchema } from './field-schemas.ts';
import { baudRateSchema, serialPortSchema } from './serial-port.ts';

/* Readers for the QR codes of magic links, which send the text of a code and the end of a line. */

export const qrSerialSchema = z.strictObject({
  driver: z.literal('qr-serial'),
  port: serialPortSchema,
  baud_rate: baudRateSchema(9600),
  wire: wireDescriptionSchema,
});

export const qrKeyboardSchema = z.strictObject({
  driver: z.literal('qr-keyboard'),
  /** Required, because a keypad is a keyboard too. */
  device: keyboardNameSchema,
  wire: wireDescriptionSchema,
});
