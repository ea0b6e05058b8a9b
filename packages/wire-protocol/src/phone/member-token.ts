import { fromBase64url, toBase64url } from '../encoding/base64url.ts';
import { concatenate } from '../encoding/length-prefixed.ts';

/*
 * A member token is `lmt_` and 32 bytes in base64url: the seed of an Ed25519 key pair, that is the private key of
 * RFC 8032, 5.1.5, as it is. Bridge and controllers keep the public key alone.
 */

const PREFIX = 'lmt_';
export const MEMBER_TOKEN_SEED_BYTES = 32;

export const encodeMemberToken = (seed: Uint8Array): string => `${PREFIX}${toBase64url(seed)}`;

/** The seed, or null when it is no member token. */
export const readMemberToken = (token: string): Uint8Array | null => {
  const seed = token.startsWith(PREFIX) ? fromBase64url(token.slice(PREFIX.length)) : null;
  return seed?.length === MEMBER_TOKEN_SEED_BYTES ? seed : null;
};

/** RFC 8410: everything of an Ed25519 key in PKCS #8 that comes before its 32 bytes. */
const PKCS8_HEAD = Uint8Array.from([
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
]);

/** The private key in the form (DER) that every library reads. */
export const pkcs8OfSeed = (seed: Uint8Array): Uint8Array => concatenate([PKCS8_HEAD, seed]);
