import { computeClientNetwork } from '@lintel/service/connections/client-network';
import { InMemoryAttemptThrottle } from '../accounts/attempt-throttle.ts';
import { hashClientSecret, verifyClientSecret } from '../accounts/client-secrets.ts';
import type { RequestParameters } from '../accounts/form-and-query-parameters.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import { findOAuthApplicationByClientId } from './oauth-application-to-library-client.ts';

interface Credentials {
  readonly clientId: string;
  readonly secret: string | null;
}

/** What a request to the token endpoint says about its client. */
export interface OAuthClientAuthenticationRequest {
  readonly authorization: string | undefined;
  readonly values: RequestParameters['values'];
  readonly ip: string;
}

export type OAuthClientAuthenticationResult =
  | { readonly kind: 'authenticated'; readonly application: OAuthApplicationRow }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'throttled'; readonly seconds: number };

const rejected: OAuthClientAuthenticationResult = { kind: 'rejected' };

const decodeForm = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

const BASIC = /^basic +([A-Za-z0-9+/=_-]+)$/i;

/**
 * RFC 6749 2.3.1 requires form-encoding of the id and secret inside HTTP Basic, but curl and many other clients do not
 * encode them. Both variants are tried; they differ only if the id or secret contains special characters.
 */
const basicCredentials = (header: string): Credentials[] => {
  const [, encoded = ''] = BASIC.exec(header.trim()) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return [];
  const raw = { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
  const decoded = { clientId: decodeForm(raw.clientId), secret: decodeForm(raw.secret) };
  const variants = [raw];
  if (
    decoded.clientId !== null &&
    decoded.secret !== null &&
    decoded.secret + decoded.clientId !== raw.secret + raw.clientId
  ) {
    variants.push({ clientId: decoded.clientId, secret: decoded.secret });
  }
  return variants.filter(({ clientId, secret }) => !`${clientId}${secret}`.includes('\0'));
};

/** Two per request with HTTP Basic, if the secret has special characters. */
const FREE_ATTEMPTS = 20;

export class OAuthClientAuthenticator {
  readonly #services: BridgeServices;
  /**
   * By client and network, so that a stranger who guesses does not lock out the client itself. Each bridge counts for
   * itself: a secret has too many bits to be guessed, and a client may use many at once.
   */
  readonly #attempts = new InMemoryAttemptThrottle(FREE_ATTEMPTS);

  constructor(services: BridgeServices) {
    this.#services = services;
  }

  /** The client that a request names, without a proof. */
  clientIdOf({ authorization, values }: Omit<OAuthClientAuthenticationRequest, 'ip'>): string | undefined {
    return authorization === undefined ? values['client_id'] : basicCredentials(authorization)[0]?.clientId;
  }

  /** Finds the application that sent the request, by form fields or HTTP Basic. */
  async authenticate({
    authorization,
    values,
    ip,
  }: OAuthClientAuthenticationRequest): Promise<OAuthClientAuthenticationResult> {
    const { client_id, client_secret } = values;
    if (authorization === undefined) {
      return client_id === undefined
        ? rejected
        : this.#authenticate({ clientId: client_id, secret: client_secret ?? null }, ip);
    }
    let result = rejected;
    for (const { clientId, secret } of basicCredentials(authorization)) {
      result = await this.#authenticate({ clientId, secret: secret === '' ? null : secret }, ip);
      if (result.kind !== 'authenticated') continue;
      return client_id === undefined || client_id === result.application.client_id ? result : rejected;
    }
    return result;
  }

  async #authenticate({ clientId, secret }: Credentials, ip: string): Promise<OAuthClientAuthenticationResult> {
    const application = await findOAuthApplicationByClientId(this.#services.storage.reader, clientId);
    if (application === undefined) return rejected;
    if (application.is_public === 1) return secret === null ? { kind: 'authenticated', application } : rejected;
    const hash = application.client_secret_hash;
    if (hash === null || secret === null) return rejected;
    const key = `${application.id} ${computeClientNetwork(ip)}`;
    const waitMs = this.#attempts.registerAttempt(key, this.#services.clock());
    if (waitMs > 0) return { kind: 'throttled', seconds: Math.ceil(waitMs / 1000) };
    const verified = verifyClientSecret(this.#services.masterKeys, { applicationId: application.id, hash }, secret);
    // Not awaited if it is known at once, so that concurrent requests with the right secret never count together.
    if (!(typeof verified === 'boolean' ? verified : await verified)) return rejected;
    this.#attempts.undoLastAttempt(key);
    await this.#upgradeHash(application, hash, secret);
    return { kind: 'authenticated', application };
  }

  /** Replaces a hash of an older bridge or of an older master key. */
  async #upgradeHash({ id }: OAuthApplicationRow, stored: string, secret: string): Promise<void> {
    const { storage, masterKeys } = this.#services;
    if (stored.startsWith(`v${masterKeys.currentVersion}.`)) return;
    await storage.writer
      .updateTable('oauth_applications')
      .set({ client_secret_hash: hashClientSecret(masterKeys.derivedKeys(masterKeys.currentVersion), id, secret) })
      .where('id', '=', id)
      .where('client_secret_hash', '=', stored)
      .execute();
  }
}
