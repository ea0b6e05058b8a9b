import * as z from 'zod';
import {
  epochMillisecondsSchema,
  revisionSchema,
  snapshotDigestSchema,
  protocolVersionSchema,
} from '../message-fields.ts';

/** The controller decides by this revision from now on. */
export const servingMqttMessageSchema = z.object({
  v: protocolVersionSchema,
  revision: revisionSchema,
  digest: snapshotDigestSchema,
  at: epochMillisecondsSchema,
});
export type ServingMqttMessage = z.infer<typeof servingMqttMessageSchema>;
