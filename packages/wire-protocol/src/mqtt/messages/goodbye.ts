import * as z from 'zod';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { nonce, version } from '../message-fields.ts';

/** The will of a connection, or a clean stop. It ends the session it names and no later one. */
export const goodbye = z.object({
  v: version,
  session_nonce: nonce,
  reason: openEnum(['lost', 'stopping', 'restarting', 'updating']),
});
export type Goodbye = z.infer<typeof goodbye>;
