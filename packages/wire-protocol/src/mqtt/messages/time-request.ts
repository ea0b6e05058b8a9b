import * as z from 'zod';
import { nonceSchema, protocolVersionSchema } from '../message-fields.ts';

/** Requests the time. Each request has its own nonce. */
export const timeRequestMessage = z.object({ v: protocolVersionSchema, nonce: nonceSchema });
export type TimeRequestMessage = z.infer<typeof timeRequestMessage>;
