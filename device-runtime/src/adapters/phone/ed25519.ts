import { createPublicKey, verify } from 'node:crypto';
import type { VerifyEd25519 } from '@lintel/wire-protocol/phone/reader-side';

/** False also for 32 bytes that are no key. */
export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
    return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    return false;
  }
};
