import type { SecureContext } from 'node:tls';
import { createAcmeChallengeTlsContext } from './acme-keys-and-certificates.ts';
import type { AcmeChallenge } from './order-certificate.ts';

/** The responses to the current challenge of the ACME server. */
export class AcmeChallengeResponses {
  #challenge: AcmeChallenge | null = null;
  #name = '';
  #context: SecureContext | null = null;

  /** Null withdraws the challenge. */
  async present(name: string, challenge: AcmeChallenge | null, now: number): Promise<void> {
    if (challenge?.token === this.#challenge?.token) return;
    this.#context =
      challenge === null ? null : await createAcmeChallengeTlsContext(name, challenge.keyAuthorization, now);
    this.#name = name;
    this.#challenge = challenge;
  }

  /** The response to an HTTP challenge; null for an unknown token. */
  keyAuthorization(token: string): string | null {
    return this.#challenge?.token === token ? this.#challenge.keyAuthorization : null;
  }

  /** The certificate that answers a TLS-ALPN challenge for the name; null without a challenge. */
  contextFor(name: string): SecureContext | null {
    return name.toLowerCase() === this.#name ? this.#context : null;
  }
}
