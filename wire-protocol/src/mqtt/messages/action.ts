import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { actingSubject, nonce, requestId, version } from '../message-fields.ts';

/**
 * Do this now. Bound to the controller's session by its nonce, so that it neither replays nor depends on clocks; the
 * deadline counts from the moment it is received.
 */
export const action = z.object({
  v: version,
  request_id: requestId,
  session_nonce: nonce,
  deadline_ms: z.int().min(1).max(60_000),
  gadget_id: idOf('gadget'),
  action_id: z.string(),
  subject: actingSubject,
});
export type Action = z.infer<typeof action>;
