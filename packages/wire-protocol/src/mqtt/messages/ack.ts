import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { counter, revision, version } from '../message-fields.ts';

/**
 * Committed, not merely received: every event up to this sequence, and these beyond it. It also says how far the
 * organization is, so that whoever keeps a revocation from a controller must keep its acknowledgements too.
 */
export const ack = z.object({
  v: version,
  up_to: counter,
  event_ids: z.array(idOf('event')).max(500),
  revision: revision.nullish(),
  /** Of the newest revocation. */
  revoke_counter: counter.nullish(),
});
export type Ack = z.infer<typeof ack>;
