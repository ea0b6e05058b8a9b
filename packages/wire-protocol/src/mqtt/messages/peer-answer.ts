import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { actionOutcomes, nonce, requestId, protocolVersion } from '../message-fields.ts';

/** Message `peer-answer`: the result from the controller that owns the gadget, with its event if there is one. */
export const peerResponseMessage = z.object({
  v: protocolVersion,
  request_id: requestId,
  outcome: openEnum(actionOutcomes),
  reason: z.string().nullable(),
  event_id: idSchema('event').nullable(),
  /** For the reader's next request, which saves a round trip. */
  next_nonce: nonce,
});
export type PeerResponseMessage = z.infer<typeof peerResponseMessage>;
