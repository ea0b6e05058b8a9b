import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

const PKCS8_OF_ED25519 = '302e020100300506032b657004220420';

/** An Ed25519 key from a golden file. */
export const createGoldenKey = (seed: string) => {
  const key = createPrivateKey({ key: Buffer.from(PKCS8_OF_ED25519 + seed, 'hex'), format: 'der', type: 'pkcs8' });
  return {
    sign: (bytes: Uint8Array): Uint8Array => sign(null, bytes, key),
    verify: (bytes: Uint8Array, signature: Uint8Array): boolean => verify(null, bytes, createPublicKey(key), signature),
  };
};
