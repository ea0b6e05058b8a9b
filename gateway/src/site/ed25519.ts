import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** Making a key costs half as much as using it, and a site has the same few hundred all day. */
const made = new Map<string, KeyObject>();
const MOST_MADE = 10_000;

const keyObject = (publicKey: string): KeyObject => {
  const known = made.get(publicKey);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  if (made.size >= MOST_MADE) made.clear();
  made.set(publicKey, key);
  return key;
};

/** Whether a signature fits a key of 32 bytes in base64url. A text that is no key fits nothing. */
export const verifiesUnder =
  (publicKey: string) =>
  (bytes: Uint8Array, signature: Uint8Array): boolean => {
    try {
      return verify(null, bytes, keyObject(publicKey), signature);
    } catch {
      return false;
    }
  };
