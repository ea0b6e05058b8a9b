import * as z from 'zod';
import { requestId, protocolVersion } from '../message-fields.ts';

/** The reading controller requests a nonce from the owner of the gadget. */
export const peerHelloMessage = z.object({ v: protocolVersion, request_id: requestId });
export type PeerHelloMessage = z.infer<typeof peerHelloMessage>;
