import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { milliseconds, nonce, requestId, version } from '../message-fields.ts';

/**
 * A technician far away asks what one at the door could ask, see `docs/reference/technician-api.md`. Bound to the controller's
 * session and to a deadline as an action is: it neither replays nor comes late.
 */
export const technician = z.object({
  v: version,
  request_id: requestId,
  session_nonce: nonce,
  /** By the bridge's clock. */
  sent_at: milliseconds,
  deadline_ms: z.int().min(1).max(60_000),
  /** Whoever is signed in at the bridge, or has made the token; null where nobody knows. */
  user_id: idOf('user').nullable(),
  /** The application whose token it was. */
  oauth_application_id: idOf('oauth_application').nullish(),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  /** Below `/technician/v1`, with its query. */
  path: z.string().min(1).max(2048).startsWith('/'),
  /** JSON; null without a body. */
  body: z.string().max(262_144).nullable(),
});
export type TechnicianRequest = z.infer<typeof technician>;
