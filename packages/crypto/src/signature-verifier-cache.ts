import { Ed25519Verifier } from './verify-ed25519.ts';

/** Creating a key object takes as long as verifying a signature. A connecting controller sends several signatures at once. */
export class SignatureVerifierCache {
  readonly #verifiers = new Map<string, Ed25519Verifier>();
  readonly #maxSize: number;

  constructor(maxSize = 1024) {
    this.#maxSize = maxSize;
  }

  /** `publicKey`: 32 bytes in base64url. */
  of(publicKey: string): Ed25519Verifier {
    const verifier = this.#verifiers.get(publicKey) ?? new Ed25519Verifier(publicKey);
    // The last one in the map is the last one used.
    this.#verifiers.delete(publicKey);
    this.#verifiers.set(publicKey, verifier);
    if (this.#verifiers.size > this.#maxSize) this.#verifiers.delete(this.#verifiers.keys().next().value!);
    return verifier;
  }
}
