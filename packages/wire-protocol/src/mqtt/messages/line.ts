import * as z from 'zod';
import { version } from '../message-fields.ts';

/**
 * A gateway's word to what hangs on it: whether the bridge is to be reached through it. Whoever could forge it could as
 * well cut the line, so it is not signed; nothing is decided by it but when to ask.
 */
export const line = z.object({ v: version, online: z.boolean() });
export type Line = z.infer<typeof line>;
