import * as z from 'zod';
import {
  nonNegativeIntegerSchema,
  digestKeyIdSchema,
  revisionSchema,
  snapshotDigestSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';
import { snapshotEntrySchema, snapshotEntryKeySchema } from '../snapshot-entry.ts';

/** Number of chunks that are sent without a further request. */
export const SNAPSHOT_CHUNKS_PER_REQUEST = 8;

/**
 * Message `snapshot`: one chunk of a delta, or of a full snapshot if `from` is null. All chunks of a change are applied
 * in one transaction; the snapshot then has this digest.
 */
export const snapshotChunkMqttMessageSchema = z
  .object({
    v: wireProtocolVersionSchema,
    from: revisionSchema.nullable(),
    to: revisionSchema,
    /** The key of its PIN and card digests; digests under another key match nothing. */
    digest_key_id: digestKeyIdSchema,
    chunk: nonNegativeIntegerSchema,
    /** Null: not known yet, and this is not the last chunk. Only if the hello has `accepts_open_snapshots`. */
    chunks: z.int().min(1).max(100_000).nullable(),
    put: z.array(snapshotEntrySchema),
    drop: z.array(snapshotEntryKeySchema),
    /** Null if `chunks` is null. */
    digest: snapshotDigestSchema.nullable(),
  })
  .refine(({ chunks, digest }) => (chunks === null) === (digest === null), { path: ['digest'] });
export type SnapshotChunkMqttMessage = z.infer<typeof snapshotChunkMqttMessageSchema>;
