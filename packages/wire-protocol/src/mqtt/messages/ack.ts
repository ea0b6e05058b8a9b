import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { counter, revision, protocolVersion } from '../message-fields.ts';

/**
 * The bridge has committed all events up to this sequence number, and the listed events beyond it. Includes the
 * current revision, so that an attacker who withholds a revocation must withhold acknowledgements too.
 */
export const ackMessage = z.object({
  v: protocolVersion,
  up_to: counter,
  event_ids: z.array(idSchema('event')).max(500),
  revision: revision.nullish(),
  /** Counter of the latest revocation. */
  revoke_counter: counter.nullish(),
});
export type AckMessage = z.infer<typeof ackMessage>;
