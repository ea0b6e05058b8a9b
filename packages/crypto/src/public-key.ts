import { isP256PublicKey } from './p256.ts';

/*
 * Every public key that comes from outside passes `isCanonicalPublicKey` before it is stored or certified. For a point of
 * small order anybody can make signatures that verify, and with two encodings of one point the same key counts as two.
 */

const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SIGN_BIT = 1n << 255n;

const mod = (value: bigint): bigint => ((value % P) + P) % P;

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n;
  let square = mod(base);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
};

const invert = (value: bigint): bigint => power(value, P - 2n);

/** The `y` of a doubled point, as a fraction. It does not depend on the sign of `x`. */
const doubledY = (y: bigint): bigint => {
  const y2 = mod(y * y);
  // x² = (y² − 1) / (d·y² + 1)
  const x2 = mod((y2 - 1n) * invert(D * y2 + 1n));
  return mod((y2 + x2) * invert(2n - y2 + x2));
};

/** 32 bytes that are the only encoding of a point of the curve, whose order is not 1, 2, 4 or 8. */
const isCanonicalEd25519Point = (bytes: Uint8Array): boolean => {
  if (bytes.length !== 32) return false;
  const encoded = bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const y = encoded & (SIGN_BIT - 1n);
  if (y >= P) return false;
  const y2 = mod(y * y);
  const x2 = mod((y2 - 1n) * invert(D * y2 + 1n));
  // x = 0 are the points of order 1 and 2. Euler's criterion: x² must be a square.
  if (x2 === 0n || power(x2, (P - 1n) / 2n) !== 1n) return false;
  // Doubled three times, a point of small order is the identity, the only point with y = 1.
  return doubledY(doubledY(doubledY(y))) !== 1n;
};

const BASE64URL_OF_32_BYTES = /^[\w-]{43}$/;

/** Whether the text is the one canonical encoding of a usable key. Ed25519: 32 bytes, P-256: 65 bytes, in base64url. */
export const isCanonicalPublicKey = (kind: 'Ed25519' | 'P-256', publicKey: string): boolean => {
  const bytes = Buffer.from(publicKey, 'base64url');
  if (bytes.toString('base64url') !== publicKey) return false;
  if (kind === 'P-256') return isP256PublicKey(publicKey);
  return BASE64URL_OF_32_BYTES.test(publicKey) && isCanonicalEd25519Point(bytes);
};
