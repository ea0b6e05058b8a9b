import * as z from 'zod';
import { nonce, requestId, version } from '../message-fields.ts';

/** Good for one request of the reader it is addressed to. */
export const peerNonce = z.object({ v: version, request_id: requestId, nonce });
export type PeerNonce = z.infer<typeof peerNonce>;
