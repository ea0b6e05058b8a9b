import { createPublicKey, type KeyObject, verify } from 'node:crypto';

const MOST_KEPT = 256;

const kept = new Map<string, KeyObject>();

const keyOf = (publicKey: string): KeyObject => {
  const known = kept.get(publicKey);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(publicKey, key);
  return key;
};

/** `publicKey`: 32 bytes in base64url. A text that is no key has signed nothing. */
export const isSignedBy = (publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify(null, bytes, keyOf(publicKey), signature);
  } catch {
    return false;
  }
};
