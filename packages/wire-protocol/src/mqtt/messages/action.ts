import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { actingSubject, milliseconds, nonce, requestId, version } from '../message-fields.ts';

/**
 * Do this now. Bound to the controller's session by its nonce, so that it does not replay. The controller knows from `time`
 * what the bridge's clock says at least: whoever holds a request back beyond its deadline has spoilt it.
 */
export const action = z.object({
  v: version,
  request_id: requestId,
  session_nonce: nonce,
  /** By the bridge's clock. */
  sent_at: milliseconds.nullish(),
  deadline_ms: z.int().min(1).max(60_000),
  gadget_id: idOf('gadget'),
  action_id: z.string(),
  subject: actingSubject,
});
export type Action = z.infer<typeof action>;
