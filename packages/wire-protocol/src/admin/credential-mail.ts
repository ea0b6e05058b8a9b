import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';

/** `POST …/members/{member_id}/emails/{member_email_id}/send`. */
export const createCredentialMailRequestSchema = z
  .strictObject({
    member_pin_ids: z.array(idSchema('member_pin')).max(10).default([]).describe('Ids of PINs to send, at most 10'),
    member_magic_link_ids: z
      .array(idSchema('member_magic_link'))
      .max(10)
      .default([])
      .describe('Ids of magic links to send, at most 10'),
  })
  .refine(({ member_pin_ids, member_magic_link_ids }) => member_pin_ids.length + member_magic_link_ids.length > 0, {
    path: ['member_pin_ids'],
    message: "must name a PIN of the member, or 'member_magic_link_ids' a magic link",
  });
