import { fromBase64url, toBase64url } from '../encoding/base64url.ts';
import { concatenateBytes } from '../encoding/length-prefixed.ts';

/*
 * A member token is `lmt_` and 32 bytes in base64url: the seed of an Ed25519 key pair, which is the private key of RFC
 * 8032, 5.1.5. Bridge and controllers store only the public key.
 */

const PREFIX = 'lmt_';
export const MEMBER_TOKEN_SEED_BYTES = 32;

export const encodeMemberTokenSeed = (seed: Uint8Array): string => `${PREFIX}${toBase64url(seed)}`;

/** Returns the seed, or null if the text is not a member token. */
export const parseMemberTokenSeed = (token: string): Uint8Array | null => {
  const seed = token.startsWith(PREFIX) ? fromBase64url(token.slice(PREFIX.length)) : null;
  return seed?.length === MEMBER_TOKEN_SEED_BYTES ? seed : null;
};

/** RFC 8410: the PKCS #8 header before the 32 bytes of an Ed25519 key. */
const PKCS8_HEAD = Uint8Array.from([
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
]);

/** The private key in DER. */
export const encodeEd25519Pkcs8 = (seed: Uint8Array): Uint8Array => concatenateBytes([PKCS8_HEAD, seed]);
