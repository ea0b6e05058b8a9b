import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** 32 bytes in base64url. Throws for anything else. */
export const ed25519Key = (publicKey: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });

export const verifiesUnder =
  (key: KeyObject) =>
  (bytes: Uint8Array, signature: Uint8Array): boolean =>
    verify(null, bytes, key, signature);
