import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { actionOutcomes, nonce, requestId, version } from '../message-fields.ts';

/** The one event is the owner's, when there is one. */
export const peerAnswer = z.object({
  v: version,
  request_id: requestId,
  outcome: openEnum(actionOutcomes),
  reason: z.string().nullable(),
  event_id: idOf('event').nullable(),
  /** For the reader's next request, so that it need not ask first. */
  next_nonce: nonce,
});
export type PeerAnswer = z.infer<typeof peerAnswer>;
