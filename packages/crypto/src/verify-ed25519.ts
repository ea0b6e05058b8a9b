import { createPublicKey, type KeyObject, verify } from 'node:crypto';

export type VerifySignature = (bytes: Uint8Array, signature: Uint8Array) => boolean;

/** Verifies signatures of one key, and creates its key object once. With an invalid key, no signature is valid. */
export class Ed25519Verifier {
  readonly #publicKey: string;
  #key: KeyObject | undefined;

  /** `publicKey`: 32 bytes in base64url. */
  constructor(publicKey: string) {
    this.#publicKey = publicKey;
  }

  #keyObject(): KeyObject {
    this.#key ??= createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: this.#publicKey }, format: 'jwk' });
    return this.#key;
  }

  verify(bytes: Uint8Array, signature: Uint8Array): boolean {
    try {
      return verify(null, bytes, this.#keyObject(), signature);
    } catch {
      return false;
    }
  }

  /** In another thread, so that the event loop goes on meanwhile. */
  verifyInThread(bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
    return new Promise(resolve => {
      try {
        verify(null, bytes, this.#keyObject(), signature, (error, isValid) => resolve(error === null && isValid));
      } catch {
        resolve(false);
      }
    });
  }
}

export const createSignatureVerifier = (publicKey: string): VerifySignature => {
  const verifier = new Ed25519Verifier(publicKey);
  return (bytes, signature) => verifier.verify(bytes, signature);
};

/** False also when `publicKey` is not a key. */
export const verifyEd25519 = (publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean =>
  new Ed25519Verifier(publicKey).verify(bytes, signature);
