import * as z from 'zod';
import { requestId, version } from '../message-fields.ts';

/** A reader asks the owner of a gadget for a nonce to quote. */
export const peerHello = z.object({ v: version, request_id: requestId });
export type PeerHello = z.infer<typeof peerHello>;
