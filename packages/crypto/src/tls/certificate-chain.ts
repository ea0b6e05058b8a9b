import { createHash, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { parseIdKind } from '@lintel/access-core/ids';

/*
 * Certificates are verified here, because the TLS library uses the system clock: a board without a battery starts in 1970. The caller's
 * time may be behind but is never ahead, so it proves that a certificate has expired, but not that it is not valid yet.
 */

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const MAX_CHAIN_LENGTH = 5;

/** SHA-256 as pairs of hex digits with colons. */
const fingerprintOf = ({ raw }: X509Certificate): string =>
  createHash('sha256').update(raw).digest('hex').toUpperCase().match(/../g)!.join(':');

/** The certificates that the peer presented, its own first. Empty without any. */
export const readPresentedCertificates = (socket: TLSSocket): X509Certificate[] => {
  const chain: X509Certificate[] = [];
  let next = socket.getPeerCertificate(true) as ReturnType<TLSSocket['getPeerCertificate']> | undefined;
  while (next?.raw !== undefined && chain.length < MAX_CHAIN_LENGTH) {
    const certificate = new X509Certificate(next.raw);
    if (chain.some(({ raw }) => raw.equals(certificate.raw))) break;
    chain.push(certificate);
    next = (next as { readonly issuerCertificate?: typeof next }).issuerCertificate;
  }
  return chain;
};

const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** False without the extension, for which `keyUsage` is undefined although its type excludes that. */
const isFor = ({ keyUsage }: X509Certificate, purpose: string): boolean =>
  (keyUsage as readonly string[] | undefined)?.includes(purpose) ?? false;

const hasExpired = (certificate: X509Certificate, now: number): boolean => certificate.validToDate.getTime() <= now;

/** Follows the chain, whose certificates must be unexpired and signed by the next, to a trusted one. Null when the chain is trusted. */
const chainProblem = (
  chain: readonly X509Certificate[],
  now: number,
  isTrusted: (certificate: X509Certificate) => boolean,
  issuers: readonly X509Certificate[],
): string | null => {
  for (const [index, certificate] of chain.entries()) {
    if (hasExpired(certificate, now)) return `its certificate expired on ${certificate.validToDate.toISOString()}`;
    if (isTrusted(certificate)) return null;
    const issuer = issuers.find(candidate => isSignedBy(certificate, candidate));
    if (issuer !== undefined) return hasExpired(issuer, now) ? 'the certificate authority has expired' : null;
    const next = chain[index + 1];
    if (next === undefined || !isSignedBy(certificate, next)) break;
  }
  return 'its certificate is not from the authority that this device trusts';
};

/** Null unless the subject has the field exactly once. */
const subjectFieldOf = ({ subject }: X509Certificate, field: 'CN' | 'O'): string | null => {
  const values = subject.split('\n').filter(line => line.startsWith(`${field}=`));
  return values.length === 1 ? values[0]!.slice(field.length + 1) : null;
};

const isNamed = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;

export interface ServerTrustCriteria {
  /** Without brackets. */
  readonly host: string;
  readonly now: number;
  /** In PEM. */
  readonly authority?: string | null;
  /** Fingerprint of a certificate that must be in the chain. */
  readonly fingerprint?: string | null;
  /** Accepts the certificate of a gateway of this organization under any address. */
  readonly gatewayOrganization?: string | null;
}

/** Null for a trusted server. */
export const findServerCertificateProblem = (
  chain: readonly X509Certificate[],
  expected: ServerTrustCriteria,
): string | null => {
  const { host, now, authority = null, fingerprint = null, gatewayOrganization = null } = expected;
  const [own] = chain;
  if (own === undefined) return 'it presented no certificate';
  const issuers = authority === null ? [] : [new X509Certificate(authority)];
  const isPinned = (certificate: X509Certificate): boolean =>
    fingerprint !== null && fingerprintOf(certificate) === fingerprint;
  const problem = chainProblem(chain, now, isPinned, issuers);
  if (problem !== null) return problem;
  // A pinned server certificate identifies the server. A pinned authority does not, so name and purpose are checked.
  if (isPinned(own)) return null;
  if (!isFor(own, SERVER_AUTH)) return 'its certificate is not for servers';
  if (isNamed(own, host)) return null;
  if (gatewayOrganization !== null && parseIdKind(subjectFieldOf(own, 'CN')) === 'device')
    return subjectFieldOf(own, 'O') === gatewayOrganization ? null : 'it is a gateway of another organization';
  return `its certificate is not for ${host}`;
};

export interface VerifiedClientCertificate {
  /** Lower-case hex. */
  readonly serial: string;
  readonly commonName: string;
}

/** Null unless the certificate is unexpired, for clients and issued by this authority. */
export const verifyClientCertificate = (
  chain: readonly X509Certificate[],
  authority: X509Certificate,
  now: number,
): VerifiedClientCertificate | null => {
  const [own] = chain;
  if (own === undefined || !isSignedBy(own, authority) || hasExpired(own, now) || hasExpired(authority, now))
    return null;
  const commonName = subjectFieldOf(own, 'CN');
  if (!isFor(own, CLIENT_AUTH) || commonName === null) return null;
  return { serial: own.serialNumber.toLowerCase(), commonName };
};
