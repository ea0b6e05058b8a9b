import { X509Certificate } from 'node:crypto';
import type { KeyAndCertificate } from './certificate-authority.ts';

/** Long enough for a person to see in the log that it fails. */
const RENEWED_BEFORE_END_MS = 60 * 86_400_000;

/** A server's certificate that gives way to the next one before it ends, while the server runs. */
export class RenewedCertificate {
  readonly #issue: () => Promise<KeyAndCertificate>;
  readonly #use: (next: KeyAndCertificate) => void;
  #endsAt: number;

  constructor(
    current: KeyAndCertificate,
    issue: () => Promise<KeyAndCertificate>,
    use: (next: KeyAndCertificate) => void,
  ) {
    this.#issue = issue;
    this.#use = use;
    this.#endsAt = endOf(current);
  }

  /** Answers whether it was time. */
  async look(now: number): Promise<boolean> {
    if (now < this.#endsAt - RENEWED_BEFORE_END_MS) return false;
    const next = await this.#issue();
    this.#use(next);
    this.#endsAt = endOf(next);
    return true;
  }
}

const endOf = ({ certificate }: KeyAndCertificate): number => Date.parse(new X509Certificate(certificate).validTo);
