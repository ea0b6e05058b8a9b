import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { revision, version } from '../message-fields.ts';

/** Applied at once, ahead of the slice whose revision will contain it. */
export const revoke = z.object({
  v: version,
  revision,
  member_ids: z.array(idOf('member')).max(1000),
  member_pin_ids: z.array(idOf('member_pin')).max(1000),
  member_card_ids: z.array(idOf('member_card')).max(1000),
  member_token_ids: z.array(idOf('member_token')).max(1000),
  member_group_association_ids: z.array(idOf('member_group_association')).max(1000),
});
export type Revoke = z.infer<typeof revoke>;
