import { X509Certificate } from 'node:crypto';
import type { KeyAndCertificate } from './certificate-authority.ts';

/** Leaves time to notice failed renewals in the log. */
const RENEWAL_WINDOW_MS = 60 * 86_400_000;

/** Replaces the server certificate before it expires, while the server runs. */
export class ServerCertificateRenewal {
  readonly #issue: () => Promise<KeyAndCertificate>;
  readonly #install: (next: KeyAndCertificate) => void;
  #expiresAt: number;

  constructor(
    current: KeyAndCertificate,
    issue: () => Promise<KeyAndCertificate>,
    install: (next: KeyAndCertificate) => void,
  ) {
    this.#issue = issue;
    this.#install = install;
    this.#expiresAt = expiryOf(current);
  }

  /** Returns true when the certificate was renewed. */
  async renewIfDue(now: number): Promise<boolean> {
    if (now < this.#expiresAt - RENEWAL_WINDOW_MS) return false;
    const next = await this.#issue();
    this.#install(next);
    this.#expiresAt = expiryOf(next);
    return true;
  }
}

const expiryOf = ({ certificate }: KeyAndCertificate): number => Date.parse(new X509Certificate(certificate).validTo);
