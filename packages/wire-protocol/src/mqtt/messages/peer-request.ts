import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { actingSubject, milliseconds, nonce, requestId, version } from '../message-fields.ts';

/**
 * The reader has decided and asks the owner, who decides again from its own slice. Quotes a nonce of the owner. With a
 * trigger there is no subject, and the depth of the chain travels along.
 */
export const peerRequest = z.object({
  v: version,
  request_id: requestId,
  nonce,
  deadline_ms: z.int().min(1).max(60_000),
  gadget_id: idOf('gadget'),
  action_id: z.string(),
  occurred_at: milliseconds,
  time_trusted: z.boolean(),
  subject: actingSubject.nullable(),
  trigger: z.object({ gadget_trigger_id: idOf('gadget_trigger'), depth: z.int().min(0).max(100) }).nullable(),
});
export type PeerRequest = z.infer<typeof peerRequest>;
