import { createPublicKey, type KeyObject, verify } from 'node:crypto';

export type VerifySignature = (bytes: Uint8Array, signature: Uint8Array) => boolean;

/** `publicKey`: 32 bytes in base64url. Throws for anything else. */
const ed25519PublicKey = (publicKey: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });

/** Verifies signatures of one key, and creates its key object once. */
export const createSignatureVerifier = (publicKey: string): VerifySignature => {
  let key: KeyObject | null = null;
  return (bytes, signature) => {
    try {
      key ??= ed25519PublicKey(publicKey);
      return verify(null, bytes, key, signature);
    } catch {
      return false;
    }
  };
};

/** False also when `publicKey` is not a key. */
export const verifyEd25519 = (publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean =>
  createSignatureVerifier(publicKey)(bytes, signature);
