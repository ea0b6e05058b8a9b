import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { inputRulesSchema } from '../input-rules-schema.ts';
import { wireProtocolVersionSchema } from '../message-fields.ts';

const named = z.object({ id: z.string(), name: z.string() });

/** The other devices of the site with the gadgets that input rules can point at, up to a limit; and the Bluetooth key. */
export const siteDirectoryMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  /** The key that the organization's phones recognize controllers by, in base64url. Absent from an older bridge. */
  bluetooth_key: z.string().max(100).optional(),
  devices: z.array(
    z.object({
      id: idSchema('device'),
      name: z.string(),
      takes_rules: z.boolean(),
      /** Absent from an older bridge. */
      input_rules: inputRulesSchema.optional(),
      gadgets: z.array(z.object({ id: idSchema('gadget'), name: z.string(), actions: z.array(named) })),
    }),
  ),
});
export type SiteDirectoryMqttMessage = z.infer<typeof siteDirectoryMqttMessageSchema>;
