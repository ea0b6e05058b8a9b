import { type Instant, instant } from '@lintel/access-core/instant';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { fromParser } from '../schema-parts/from-parser.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { accessMethods } from '../rest/access-method.ts';

export const PROTOCOL_VERSION = 1;

/** Every payload says which version of the protocol it speaks. */
export const version = z.literal(PROTOCOL_VERSION);

const LATEST = 253_402_300_799_999;

const parseMilliseconds = (value: unknown, path: string): Result<Instant> =>
  Number.isSafeInteger(value) && Math.abs(value as number) <= LATEST
    ? ok(instant(value as number))
    : failed([problem(path, 'invalid_time', 'must be milliseconds since 1970')]);

/** Between machines an instant is a number. */
export const milliseconds = fromParser(z.int(), parseMilliseconds);

export const counter = z.int().min(0);

/** Revisions of the organization; null for a controller that holds nothing yet. */
export const revision = z.int().min(0);

/** Random bytes in base64url: 16 at least, so that none comes twice. */
export const nonce = z.string().regex(/^[A-Za-z0-9_-]{22,86}$/);

/** The digest of a slice, see `slice-digest.ts`. */
export const sliceDigest = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 digits of lower-case hex' });

/** Names one of the keys that a device has digested credentials with, so that it can be changed. */
export const digestKeyId = z.string().min(1).max(64);

/** The serial number of a device's certificate in lower-case hex. */
export const certificateSerial = z.string().regex(/^[0-9a-f]{2,64}$/, { error: 'must be lower-case hex' });

export const requestId = z.string().min(1).max(100);

/** Who acts, as far as the sender knows: the member and the one credential that was shown. */
export const actingSubject = z.object({
  member_id: idOf('member').nullish(),
  member_email_id: idOf('member_email').nullish(),
  member_magic_link_id: idOf('member_magic_link').nullish(),
  member_pin_id: idOf('member_pin').nullish(),
  member_card_id: idOf('member_card').nullish(),
  member_token_id: idOf('member_token').nullish(),
  user_id: idOf('user').nullish(),
  oauth_application_id: idOf('oauth_application').nullish(),
  access_method: openEnum(accessMethods).nullish(),
});

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
