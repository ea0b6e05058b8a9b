import * as z from 'zod';
import { nonce, version } from '../message-fields.ts';

/** What time is it? Each request has a nonce of its own. */
export const timeRequest = z.object({ v: version, nonce });
export type TimeRequest = z.infer<typeof timeRequest>;
