import { secretMatches } from '../accounts/client-secrets.ts';
import { hashToken } from '../secrets/token-hash.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import { findApplication } from './client.ts';
import type { Parameters } from '../accounts/form-fields.ts';

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
 * RFC 6749 2.3.1 wants both halves form-encoded inside HTTP Basic; curl and many others send them bare. Both readings
 * are tried, and they differ only where a chosen name or secret has special characters.
 */
const basicCredentials = (header: string): Credentials[] => {
  const [, encoded = ''] = BASIC.exec(header.trim()) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return [];
  const bare = { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
  const decoded = { clientId: decodeForm(bare.clientId), secret: decodeForm(bare.secret) };
  const readings = [bare];
  if (
    decoded.clientId !== null &&
    decoded.secret !== null &&
    decoded.secret + decoded.clientId !== bare.secret + bare.clientId
  ) {
    readings.push({ clientId: decoded.clientId, secret: decoded.secret });
  }
  return readings.filter(({ clientId, secret }) => !`${clientId}${secret}`.includes('\0'));
};

/** A proven secret that was chosen by a person need not be proven slowly every hour again. */
const MOST_PROVEN = 1000;

export class ClientAuthentication {
  readonly #storage: Storage;
  readonly #proven = new Map<string, string>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The application that sends the request, by the form's fields or by HTTP Basic; null when it is not proven. */
  async identify(authorization: string | undefined, values: Parameters['values']): Promise<OAuthApplicationRow | null> {
    const { client_id, client_secret } = values;
    if (authorization === undefined) {
      return client_id === undefined ? null : this.#prove({ clientId: client_id, secret: client_secret ?? null });
    }
    for (const reading of basicCredentials(authorization)) {
      const application = await this.#prove({ ...reading, secret: reading.secret === '' ? null : reading.secret });
      if (application !== null)
        return client_id === undefined || client_id === application.client_id ? application : null;
    }
    return null;
  }

  async #prove({ clientId, secret }: Credentials): Promise<OAuthApplicationRow | null> {
    const application = await findApplication(this.#storage.reader, clientId);
    if (application === undefined) return null;
    if (application.is_public === 1) return secret === null ? application : null;
    const stored = application.client_secret_hash;
    if (stored === null || secret === null) return null;
    const proof = hashToken(`${stored} ${secret}`);
    if (this.#proven.get(application.id) === proof) return application;
    if (!(await secretMatches(stored, secret))) return null;
    if (this.#proven.size >= MOST_PROVEN) this.#proven.clear();
    this.#proven.set(application.id, proof);
    return application;
  }
}
