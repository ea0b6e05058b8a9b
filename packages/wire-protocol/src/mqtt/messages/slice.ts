import * as z from 'zod';
import { counter, digestKeyId, revision, sliceDigest, version } from '../message-fields.ts';
import { sliceEntry, sliceKey } from '../slice-entry.ts';

/** The chunks of a change that come without being asked for one by one. */
export const CHUNKS_AT_ONCE = 8;

/**
 * One chunk of a delta, or of a snapshot when `from` is null. The chunks of one change are applied together, in one
 * transaction, and then the slice has this digest.
 */
export const slice = z.object({
  v: version,
  from: revision.nullable(),
  to: revision,
  /** What its PINs and cards are digested with; of another key they would fit nobody. */
  digest_key_id: digestKeyId,
  chunk: counter,
  chunks: z.int().min(1).max(100_000),
  put: z.array(sliceEntry),
  drop: z.array(sliceKey),
  digest: sliceDigest,
});
export type Slice = z.infer<typeof slice>;
