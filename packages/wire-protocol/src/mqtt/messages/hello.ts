import * as z from 'zod';
import { openEnum } from '../../schema-parts/open-enum.ts';
import {
  certificateSerial,
  counter,
  digestKeyId,
  milliseconds,
  nonce,
  revision,
  sliceDigest,
  version,
} from '../message-fields.ts';
import { resumption } from './sync-request.ts';

/** The first word of every connection: what the controller is, what it holds, and the nonce of this session. */
export const hello = z.object({
  v: version,
  /** The versions of the protocol that it speaks. */
  speaks: z.array(z.int()).max(20),
  firmware: z.string().max(100),
  product_id: z.string().max(100),
  session_nonce: nonce,
  /** Of the certificate that it uses: what comes down is bound to it. */
  serial: certificateSerial,
  /** What its PINs and cards are digested with. */
  digest_key_id: digestKeyId,
  slice: z.object({ revision, digest: sliceDigest }).nullable(),
  /** A change of the slice that has come in part: the rest of it is wanted, if it is still there to be had. */
  resume: resumption.nullable(),
  /** Of the newest event that it has written. */
  event_sequence: counter,
  /** The highest that it has accepted of what is signed for it, and of the revocations. */
  down_counter: counter,
  revoke_counter: counter,
  clock: z.object({
    time: milliseconds,
    trusted: z.boolean(),
    source: openEnum(['rtc', 'bridge', 'ntp', 'floor']),
  }),
});
export type Hello = z.infer<typeof hello>;
