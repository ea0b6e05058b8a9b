import * as z from 'zod';
import {
  nonNegativeIntegerSchema,
  revisionSchema,
  snapshotDigestSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';

/** The next chunk of the change to this revision. */
export const resumePointSchema = z.object({ revision: revisionSchema, chunk: nonNegativeIntegerSchema });

/**
 * `have` null: requests a full snapshot. `resume`: continues the change to this revision from this chunk. Chunks of a
 * large change come in groups; the controller requests each next group.
 */
export const syncRequestMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  have: z.object({ revision: revisionSchema, digest: snapshotDigestSchema }).nullable(),
  resume: resumePointSchema.nullable(),
  /** Requests chunks while earlier ones are still on the way. If the change has no more chunks, nothing is sent. */
  ahead: z.boolean().optional(),
  /** The highest accepted counter of revocations. */
  revoke_counter: nonNegativeIntegerSchema.optional(),
});
export type SyncRequestMqttMessage = z.infer<typeof syncRequestMqttMessageSchema>;
