import * as z from 'zod';
import {
  epochMillisecondsSchema,
  revisionSchema,
  snapshotDigestSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';

/** The controller decides by this revision from now on. */
export const activeRevisionMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  revision: revisionSchema,
  digest: snapshotDigestSchema,
  at: epochMillisecondsSchema,
});
export type ActiveRevisionMqttMessage = z.infer<typeof activeRevisionMqttMessageSchema>;
