import { createPublicKey, verify } from 'node:crypto';

/** Whether a signature fits a key of 32 bytes in base64url. A text that is no key fits nothing. */
export const verifiesUnder =
  (publicKey: string) =>
  (bytes: Uint8Array, signature: Uint8Array): boolean => {
    try {
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
      return verify(null, bytes, key, signature);
    } catch {
      return false;
    }
  };
