import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { actingSubject, epochMilliseconds, nonce, requestId, protocolVersion } from '../message-fields.ts';

/**
 * Executes an action now. Bound to the controller's session by its nonce, which prevents replay. The controller has a
 * lower bound of the bridge's clock from `time`, so a request delayed beyond its deadline is rejected.
 */
export const actionMessage = z.object({
  v: protocolVersion,
  request_id: requestId,
  session_nonce: nonce,
  /** By the bridge's clock. */
  sent_at: epochMilliseconds.nullish(),
  deadline_ms: z.int().min(1).max(60_000),
  gadget_id: idSchema('gadget'),
  action_id: z.string(),
  subject: actingSubject,
});
export type ActionMessage = z.infer<typeof actionMessage>;
