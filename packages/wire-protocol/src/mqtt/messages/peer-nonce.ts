import * as z from 'zod';
import { nonce, requestId, protocolVersion } from '../message-fields.ts';

/** Valid for one request of the addressed controller. */
export const peerNonceMessage = z.object({ v: protocolVersion, request_id: requestId, nonce });
export type PeerNonceMessage = z.infer<typeof peerNonceMessage>;
