import * as z from 'zod';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { nonce, protocolVersion } from '../message-fields.ts';

/** The last will of a connection, or a clean stop. Ends only the session that it names. */
export const goodbyeMessage = z.object({
  v: protocolVersion,
  session_nonce: nonce,
  reason: openEnum(['lost', 'stopping', 'restarting', 'updating']),
});
export type GoodbyeMessage = z.infer<typeof goodbyeMessage>;
