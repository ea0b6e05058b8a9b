import * as z from 'zod';
import { counter, revision, snapshotDigestHex, protocolVersion } from '../message-fields.ts';

/** The next chunk of the change to this revision. */
export const resumePoint = z.object({ revision, chunk: counter });

/**
 * `have` null: requests a full snapshot. `resume`: continues the change to this revision from this chunk. Chunks of a
 * large change come in groups; the controller requests each next group.
 */
export const syncRequestMessage = z.object({
  v: protocolVersion,
  have: z.object({ revision, digest: snapshotDigestHex }).nullable(),
  resume: resumePoint.nullable(),
});
export type SyncRequestMessage = z.infer<typeof syncRequestMessage>;
