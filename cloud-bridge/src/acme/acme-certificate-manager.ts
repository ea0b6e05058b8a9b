import { X509Certificate } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@lintel/service/log-function-type';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';
import { AcmeError, describeAcmeErrorAdvice } from './acme-error.ts';
import type { AcmeState, AcmeStateStore } from './acme-state-store.ts';
import type { AcmeChallengeResponses } from './acme-challenge-responses.ts';
import { createAcmeAccountKey } from './acme-keys-and-certificates.ts';
import { type AcmeChallengeType, orderAcmeCertificate } from './order-certificate.ts';

export interface AcmeOptions {
  readonly directoryUrl: string;
  readonly email: string | null;
  /** DNS name of the bridge. */
  readonly name: string;
  readonly challengeType: AcmeChallengeType;
}

interface AcmeDependencies {
  readonly store: AcmeStateStore;
  readonly challenges: AcmeChallengeResponses;
  readonly clock: () => number;
  readonly log: Log;
  /** Uses the certificate for new connections. */
  readonly install: (next: KeyAndCertificate) => void;
  readonly onFailure: () => void;
  readonly propagationMs?: number;
}

const FIRST_RETRY_MS = 5 * 60_000;
const LONGEST_RETRY_MS = 12 * 3_600_000;
/** Until every bridge has read a new challenge. */
const PROPAGATION_MS = 3000;

/** At two thirds of the lifetime of the certificate. */
const renewalTimeOf = ({ certificate }: KeyAndCertificate): number => {
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  return validFromDate.getTime() + ((validToDate.getTime() - validFromDate.getTime()) * 2) / 3;
};

/** Obtains and renews the HTTPS certificate of the bridge from an ACME server. */
export class AcmeCertificateManager {
  readonly #options: AcmeOptions;
  readonly #dependencies: AcmeDependencies;
  readonly #stop = new AbortController();
  #installed: string | null = null;

  constructor(options: AcmeOptions, dependencies: AcmeDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  /** Ends a running order. */
  stop(): void {
    this.#stop.abort();
  }

  /** Takes over the certificate and the challenge of the stored state. */
  async refresh(): Promise<AcmeState | null> {
    const { store, challenges, clock, install } = this.#dependencies;
    const { name, directoryUrl } = this.#options;
    const stored = await store.read();
    const state = stored?.name === name && stored.directoryUrl === directoryUrl ? stored : null;
    await challenges.present(name, state?.challenge ?? null, clock());
    const certificate = state?.certificate ?? null;
    if (certificate !== null && certificate.certificate !== this.#installed) {
      install(certificate);
      this.#installed = certificate.certificate;
    }
    return state;
  }

  /** Orders a certificate if there is none, or at two thirds of its lifetime. Keeps the old one if that fails. */
  async renewIfDue(): Promise<void> {
    if (!this.#isDue(await this.refresh())) return;
    await this.#dependencies.store.runExclusively(async () => {
      // Another bridge may have renewed it in the meantime.
      const state = await this.refresh();
      if (this.#isDue(state)) await this.#order(state ?? (await this.#newState()));
    });
  }

  #isDue(state: AcmeState | null): boolean {
    const now = this.#dependencies.clock();
    if (state === null) return true;
    return now >= state.nextAttemptAt && (state.certificate === null || now >= renewalTimeOf(state.certificate));
  }

  async #newState(): Promise<AcmeState> {
    const { name, directoryUrl } = this.#options;
    const accountKey = await createAcmeAccountKey();
    return { directoryUrl, name, accountKey, certificate: null, challenge: null, failures: 0, nextAttemptAt: 0 };
  }

  async #order(state: AcmeState): Promise<void> {
    const { store, log, propagationMs = PROPAGATION_MS } = this.#dependencies;
    const { signal } = this.#stop;
    // Before the order, so that the account is not lost.
    await store.write(state);
    try {
      const certificate = await orderAcmeCertificate({
        ...this.#options,
        accountKey: state.accountKey,
        presentChallenge: async challenge => {
          await store.write({ ...state, challenge });
          await this.refresh();
          if (store.isShared) await delay(propagationMs, undefined, { signal });
        },
        signal,
      });
      await store.write({ ...state, certificate, challenge: null, failures: 0, nextAttemptAt: 0 });
      await this.refresh();
      const renewal = new Date(renewalTimeOf(certificate)).toISOString();
      log('info', 'Certificate issued', { name: this.#options.name, renewal });
    } catch (error) {
      if (signal.aborted) await store.write(state);
      else await this.#onFailure(state, error as Error);
    }
  }

  async #onFailure(state: AcmeState, error: Error): Promise<void> {
    const { store, clock, log, onFailure } = this.#dependencies;
    const { name, challengeType } = this.#options;
    const { kind = '', retryAfterMs = 0 } = error instanceof AcmeError ? error : {};
    const pauseMs = Math.max(Math.min(FIRST_RETRY_MS * 2 ** state.failures, LONGEST_RETRY_MS), retryAfterMs);
    const nextAttemptAt = clock() + pauseMs;
    await store.write({ ...state, challenge: null, failures: state.failures + 1, nextAttemptAt });
    await this.refresh();
    onFailure();
    log('error', 'The certificate could not be obtained. The bridge keeps the one it has', {
      name,
      why: error.message,
      advice: describeAcmeErrorAdvice(kind, name, challengeType === 'http-01' ? 80 : 443),
      next_attempt: new Date(nextAttemptAt).toISOString(),
    });
  }
}
