import { createHash, randomBytes } from 'node:crypto';

/** What a server demands before it answers (RFC 7616). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
}

/** Only SHA-256 and `qop=auth`. MD5 is refused, because the password could be computed from recorded requests. */
export const parseDigestChallenge = (header: string | null): DigestChallenge | null => {
  const [, list] = /\bDigest\s+(.*)$/i.exec(header ?? '') ?? [];
  if (list === undefined) return null;
  const fields = new Map<string, string>();
  for (const [, name, quoted, plain] of list.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,]+))/g))
    fields.set(name!.toLowerCase(), quoted ?? plain ?? '');
  const [realm, nonce] = [fields.get('realm'), fields.get('nonce')];
  const supportsAuth = (fields.get('qop') ?? '').split(',').some(qop => qop.trim() === 'auth');
  if (realm === undefined || nonce === undefined || !supportsAuth) return null;
  if (fields.get('algorithm')?.toUpperCase() !== 'SHA-256') return null;
  return { realm, nonce, opaque: fields.get('opaque') ?? null };
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface DigestRequest {
  readonly user: string;
  readonly password: string;
  readonly method: string;
  /** Path and query as in the request line. */
  readonly uri: string;
  /** How often the nonce was used, this request included. */
  readonly count: number;
  readonly clientNonce?: string;
}

/** The value of the header `Authorization`. */
export const createDigestAuthorization = (
  { realm, nonce, opaque }: DigestChallenge,
  { user, password, method, uri, count, clientNonce = randomBytes(16).toString('hex') }: DigestRequest,
): string => {
  const nc = count.toString(16).padStart(8, '0');
  const secret = sha256(`${user}:${realm}:${password}`);
  const response = sha256(`${secret}:${nonce}:${nc}:${clientNonce}:auth:${sha256(`${method}:${uri}`)}`);
  const quoted = { username: user, realm, nonce, uri, response, cnonce: clientNonce };
  const fields = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  return `Digest ${[...fields, 'algorithm=SHA-256', 'qop=auth', `nc=${nc}`, ...(opaque === null ? [] : [`opaque="${opaque}"`])].join(', ')}`;
};
