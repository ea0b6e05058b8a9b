import * as z from 'zod';
import { nonce, protocolVersion } from '../message-fields.ts';

/** Requests the time. Each request has its own nonce. */
export const timeRequestMessage = z.object({ v: protocolVersion, nonce });
export type TimeRequestMessage = z.infer<typeof timeRequestMessage>;
