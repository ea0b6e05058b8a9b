import { createHash, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { kindOfId } from '@lintel/access-core/ids';

/*
 * Certificates are checked here and not by the TLS library, which knows only the clock of the system: a board without a
 * battery starts in 1970, and its own kept time may be the better one. Kept time may be behind and is never ahead, so it
 * proves that a certificate has expired, but not that one has yet to begin.
 */

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const LONGEST_CHAIN = 5;

/** SHA-256, as people compare it: pairs of hex digits with colons. */
const fingerprintOf = ({ raw }: X509Certificate): string =>
  createHash('sha256').update(raw).digest('hex').toUpperCase().match(/../g)!.join(':');

/** What the other side has shown, its own first. Empty if it has shown nothing. */
export const presentedChain = (socket: TLSSocket): X509Certificate[] => {
  const chain: X509Certificate[] = [];
  let next = socket.getPeerCertificate(true) as ReturnType<TLSSocket['getPeerCertificate']> | undefined;
  while (next?.raw !== undefined && chain.length < LONGEST_CHAIN) {
    const certificate = new X509Certificate(next.raw);
    if (chain.some(({ raw }) => raw.equals(certificate.raw))) break;
    chain.push(certificate);
    next = (next as { readonly issuerCertificate?: typeof next }).issuerCertificate;
  }
  return chain;
};

const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** Undefined, whatever its type says, where the certificate has no such extension: it is for nothing then. */
const isFor = ({ keyUsage }: X509Certificate, purpose: string): boolean =>
  (keyUsage as readonly string[] | undefined)?.includes(purpose) ?? false;

const hasExpired = (certificate: X509Certificate, now: number): boolean => certificate.validToDate.getTime() <= now;

/** Up from the first certificate, each signed by the next and none expired, to one that is trusted. Null if it gets there. */
const climb = (
  chain: readonly X509Certificate[],
  now: number,
  isTrusted: (certificate: X509Certificate) => boolean,
  issuers: readonly X509Certificate[],
): string | null => {
  for (const [index, certificate] of chain.entries()) {
    if (hasExpired(certificate, now)) return `its certificate expired on ${certificate.validToDate.toISOString()}`;
    if (isTrusted(certificate)) return null;
    const issuer = issuers.find(one => isSignedBy(certificate, one));
    if (issuer !== undefined) return hasExpired(issuer, now) ? 'the authority has expired' : null;
    const next = chain[index + 1];
    if (next === undefined || !isSignedBy(certificate, next)) break;
  }
  return 'its certificate is not from the authority that this device trusts';
};

const commonNameOf = ({ subject }: X509Certificate): string | null => /^CN=(.*)$/m.exec(subject)?.[1] ?? null;

const isNamed = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;

export interface ServerExpectation {
  /** Without brackets. */
  readonly host: string;
  readonly now: number;
  /** In PEM. */
  readonly authority?: string | null;
  /** Of a certificate that must be in the chain. */
  readonly fingerprint?: string | null;
  /** A site gateway answers under whatever address it has, with its device certificate for servers. */
  readonly mayBeGateway: boolean;
}

/** What speaks against the server, or null. */
export const judgeServer = (chain: readonly X509Certificate[], expected: ServerExpectation): string | null => {
  const { host, now, authority = null, fingerprint = null, mayBeGateway } = expected;
  const [own] = chain;
  if (own === undefined) return 'it has shown no certificate';
  const issuers = authority === null ? [] : [new X509Certificate(authority)];
  const untrusted = climb(chain, now, one => fingerprint !== null && fingerprintOf(one) === fingerprint, issuers);
  if (untrusted !== null) return untrusted;
  // A pin on the server's very own certificate says all; one on an authority does not say which of its servers.
  if (fingerprint !== null && fingerprintOf(own) === fingerprint) return null;
  if (!isFor(own, SERVER_AUTH)) return 'its certificate is not one for servers';
  if (isNamed(own, host)) return null;
  if (mayBeGateway && kindOfId(commonNameOf(own)) === 'device') return null;
  return `its certificate is not for ${host}`;
};

export interface ClientCertificate {
  /** Lower-case hex. */
  readonly serial: string;
  readonly commonName: string;
}

/** Who a client is by the certificate it has shown, or null: not of this authority, not for clients, or expired. */
export const judgeClient = (
  chain: readonly X509Certificate[],
  authority: X509Certificate,
  now: number,
): ClientCertificate | null => {
  const [own] = chain;
  if (own === undefined || !isSignedBy(own, authority) || hasExpired(own, now) || hasExpired(authority, now))
    return null;
  const commonName = commonNameOf(own);
  if (!isFor(own, CLIENT_AUTH) || commonName === null) return null;
  return { serial: own.serialNumber.toLowerCase(), commonName };
};
