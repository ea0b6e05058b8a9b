import * as z from 'zod';
import { nonNegativeIntegerSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/**
 * From a bridge that has lost events, for example because it was restored from a backup. The controller uploads all
 * events again that it still has, from this sequence number on, also the acknowledged ones. 0: all of them.
 */
export const resendEventsMqttMessageSchema = z.object({ v: wireProtocolVersionSchema, from: nonNegativeIntegerSchema });
