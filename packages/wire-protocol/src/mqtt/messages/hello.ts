import * as z from 'zod';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import {
  certificateSerialSchema,
  nonNegativeIntegerSchema,
  digestKeyIdSchema,
  epochMillisecondsSchema,
  nonceSchema,
  revisionSchema,
  snapshotDigestSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';
import { resumePointSchema } from './sync-request.ts';

/** The first message of every connection: identity and state of the controller, and the nonce of the session. */
export const helloMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  /** Supported protocol versions. */
  speaks: z.array(z.int()).max(20),
  firmware: z.string().max(100),
  product_id: z.string().max(100),
  /** The product in words, because a technician can change it after the claim. Null without a chosen profile. */
  product: z
    .object({
      revision_id: z.string().max(64),
      name: z.string().max(200),
      capabilities: z.record(z.string().max(100), z.unknown()),
    })
    .nullish(),
  session_nonce: nonceSchema,
  /** Serial number of its certificate, which downlink messages are bound to. */
  serial: certificateSerialSchema,
  /** The key for digests of PINs and cards. */
  digest_key_id: digestKeyIdSchema,
  snapshot: z.object({ revision: revisionSchema, digest: snapshotDigestSchema }).nullable(),
  /** A partially received change of the snapshot, to be continued if still available. */
  resume: resumePointSchema.nullable(),
  /** Accepts chunks of a snapshot whose number of chunks and digest are not known yet. */
  accepts_open_snapshots: z.boolean().optional(),
  /** Sequence number of the latest event. */
  event_sequence: nonNegativeIntegerSchema,
  /** Highest sequence number that the bridge has acknowledged. A bridge that has committed less has lost data. */
  acknowledged_sequence: nonNegativeIntegerSchema.nullish(),
  /** The highest accepted counters of downlink messages and of revocations. */
  down_counter: nonNegativeIntegerSchema,
  revoke_counter: nonNegativeIntegerSchema,
  clock: z.object({
    time: epochMillisecondsSchema,
    trusted: z.boolean(),
    source: openEnumSchema(['rtc', 'bridge', 'ntp', 'floor']),
  }),
});
export type HelloMqttMessage = z.infer<typeof helloMqttMessageSchema>;
