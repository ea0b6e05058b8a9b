import * as z from 'zod';
import { wireProtocolVersionSchema } from '../message-fields.ts';

/**
 * From a bridge that does not know the snapshot of a controller: it may have been restored from a backup. The controller
 * answers with `revocations`, so that the bridge does not make a revoked credential valid again.
 */
export const resendRevocationsMqttMessageSchema = z.object({ v: wireProtocolVersionSchema });
