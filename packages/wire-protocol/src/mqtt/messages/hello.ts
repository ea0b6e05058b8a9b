import * as z from 'zod';
import { openEnum } from '../../schema-parts/open-enum.ts';
import {
  certificateSerial,
  counter,
  digestKeyId,
  epochMilliseconds,
  nonce,
  revision,
  snapshotDigestHex,
  protocolVersion,
} from '../message-fields.ts';
import { resumePoint } from './sync-request.ts';

/** The first message of every connection: identity and state of the controller, and the nonce of the session. */
export const helloMessage = z.object({
  v: protocolVersion,
  /** Supported protocol versions. */
  speaks: z.array(z.int()).max(20),
  firmware: z.string().max(100),
  product_id: z.string().max(100),
  session_nonce: nonce,
  /** Serial number of its certificate, which downlink messages are bound to. */
  serial: certificateSerial,
  /** The key for digests of PINs and cards. */
  digest_key_id: digestKeyId,
  slice: z.object({ revision, digest: snapshotDigestHex }).nullable(),
  /** A partially received change of the snapshot, to be continued if still available. */
  resume: resumePoint.nullable(),
  /** Sequence number of the latest event. */
  event_sequence: counter,
  /** The highest accepted counters of downlink messages and of revocations. */
  down_counter: counter,
  revoke_counter: counter,
  clock: z.object({
    time: epochMilliseconds,
    trusted: z.boolean(),
    source: openEnum(['rtc', 'bridge', 'ntp', 'floor']),
  }),
});
export type HelloMessage = z.infer<typeof helloMessage>;
