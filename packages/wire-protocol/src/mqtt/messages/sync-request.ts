import * as z from 'zod';
import { counter, revision, sliceDigest, version } from '../message-fields.ts';

/** The chunk that comes next of the change to this revision. */
export const resumption = z.object({ revision, chunk: counter });

/**
 * `have` null: everything is wanted. `resume`: the change to this revision has come as far as before this chunk, and the
 * rest is wanted. The chunks of a large change come in groups, and whoever has got a whole group asks for the next.
 */
export const syncRequest = z.object({
  v: version,
  have: z.object({ revision, digest: sliceDigest }).nullable(),
  resume: resumption.nullable(),
});
export type SyncRequest = z.infer<typeof syncRequest>;
