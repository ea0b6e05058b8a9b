import { verifyClientSecret } from '../accounts/client-secrets.ts';
import { hashToken } from '../secrets/tokens.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import { findApplicationByClientId } from './oauth-client.ts';
import type { RequestParameters } from '../accounts/request-parameters.ts';

interface Credentials {
  readonly clientId: string;
  readonly secret: string | null;
}

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

/** Verified secrets are cached, because the hash of a user-chosen secret is slow to verify. */
const MAX_VERIFIED = 1000;

export class ClientAuthentication {
  readonly #storage: Storage;
  readonly #verified = new Map<string, string>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The application that sent the request, by form fields or HTTP Basic; null if its credentials are invalid. */
  async identify(
    authorization: string | undefined,
    values: RequestParameters['values'],
  ): Promise<OAuthApplicationRow | null> {
    const { client_id, client_secret } = values;
    if (authorization === undefined) {
      return client_id === undefined
        ? null
        : this.#authenticate({ clientId: client_id, secret: client_secret ?? null });
    }
    for (const variant of basicCredentials(authorization)) {
      const application = await this.#authenticate({
        ...variant,
        secret: variant.secret === '' ? null : variant.secret,
      });
      if (application !== null)
        return client_id === undefined || client_id === application.client_id ? application : null;
    }
    return null;
  }

  async #authenticate({ clientId, secret }: Credentials): Promise<OAuthApplicationRow | null> {
    const application = await findApplicationByClientId(this.#storage.reader, clientId);
    if (application === undefined) return null;
    if (application.is_public === 1) return secret === null ? application : null;
    const stored = application.client_secret_hash;
    if (stored === null || secret === null) return null;
    const proof = hashToken(`${stored} ${secret}`);
    if (this.#verified.get(application.id) === proof) return application;
    if (!(await verifyClientSecret(stored, secret))) return null;
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear();
    this.#verified.set(application.id, proof);
    return application;
  }
}
