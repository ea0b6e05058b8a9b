import { accessMethods } from '@lintel/access-core/access-data-types';
import { type Instant, instant } from '@lintel/access-core/instant';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { actingSubjectIdFields } from '../schema-parts/acting-subject-ids.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';

export const WIRE_PROTOCOL_VERSION = 1;

/** Every payload names its protocol version. */
export const wireProtocolVersionSchema = z.literal(WIRE_PROTOCOL_VERSION);

const LATEST = 253_402_300_799_999;

const parseMilliseconds = (value: unknown, path: string): Result<Instant> =>
  Number.isSafeInteger(value) && Math.abs(value as number) <= LATEST
    ? ok(instant(value as number))
    : failed([createProblem(path, 'invalid_time', 'must be milliseconds since 1970')]);

/** Instants are numbers in messages between machines. */
export const epochMillisecondsSchema = schemaFromParser(z.int(), parseMilliseconds);

export const nonNegativeIntegerSchema = z.int().min(0);

/** Random for every start of a controller. Sequence numbers of events are unique within an epoch. */
export const eventEpochSchema = z.string().min(1).max(40);

/** Revision of the organization. */
export const revisionSchema = z.int().min(0);

/** At least 16 random bytes in base64url, so that it is unique. */
export const nonceSchema = z.string().regex(/^[A-Za-z0-9_-]{22,86}$/);

/** The digest of a snapshot, see `snapshot-digest.ts`. */
export const snapshotDigestSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 digits of lower-case hex' });

/** Identifies a digest key of the device, so that the key can be changed. */
export const digestKeyIdSchema = z.string().min(1).max(64);

/** The serial number of a device's certificate in lower-case hex. */
export const certificateSerialSchema = z.string().regex(/^[0-9a-f]{2,64}$/, { error: 'must be lower-case hex' });

export const requestIdSchema = z.string().min(1).max(100);

/** Who acts, as far as the sender knows: the member and the presented credential. */
export const actingSubjectSchema = z.object({
  ...actingSubjectIdFields,
  access_method: openEnumSchema(accessMethods).nullish(),
});

/** A signed technician pass, which proves who the technician is. */
export const technicianPassTextSchema = z.string().min(1).max(2_000);

/** Proof of a user or an application that the sender cannot know by itself; see `docs/developer/device-protocol.md`. */
export const actingProofFields = {
  /** The pass that the technician signed in with. */
  pass: technicianPassTextSchema.nullish(),
  /** The request of the bridge that the user or the application made. */
  request_id: requestIdSchema.nullish(),
};

export const actionOutcomes = [
  'done',
  'denied',
  'not_found',
  'wrong_nonce',
  'too_late',
  'interlocked',
  'busy',
  'failed',
] as const;
