import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { revisionSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** Applied at once, ahead of the snapshot revision that contains it. */
export const revocationMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  revision: revisionSchema,
  member_ids: z.array(idSchema('member')).max(1000),
  member_pin_ids: z.array(idSchema('member_pin')).max(1000),
  member_card_ids: z.array(idSchema('member_card')).max(1000),
  member_token_ids: z.array(idSchema('member_token')).max(1000),
  /** Absent in messages of older bridges. */
  member_magic_link_ids: z.array(idSchema('member_magic_link')).max(1000).exactOptional(),
  member_group_association_ids: z.array(idSchema('member_group_association')).max(1000),
});
export type RevocationMqttMessage = z.infer<typeof revocationMqttMessageSchema>;
