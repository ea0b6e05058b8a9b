// @peculiar/x509 builds its registry with it and must find it already loaded.
import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 20 * 365;
const SERVER_DAYS = 397;
/** Renewed at half of it: a controller may be without a line for a year. */
const DEVICE_DAYS = 730;
/** A clock that is a little behind should not refuse a fresh certificate. */
const BACKDATED_DAYS = 1;

export interface KeyAndCertificate {
  readonly key: string;
  readonly certificate: string;
}

export interface CertificateAuthority {
  readonly certificate: string;
  /** SHA-256 of the certificate, as people compare it: pairs of hex digits with colons. */
  readonly fingerprint: string;
  issueServerCertificate(names: readonly string[], now: number): Promise<KeyAndCertificate>;
  /** For a controller's own key, of which the request proves possession. Throws an UnfitRequest. */
  issueDeviceCertificate(request: string, subject: CertifiedDevice, now: number): Promise<IssuedCertificate>;
}

interface CertifiedDevice {
  readonly deviceId: string;
  /** A site gateway: the devices of its site know it by the same certificate. */
  readonly isServer: boolean;
}

export interface IssuedCertificate {
  /** In PEM, without the authority's. */
  readonly certificate: string;
  /** Lower-case hex. */
  readonly serial: string;
  /** Ed25519, 32 bytes in base64url. */
  readonly publicKey: string;
  readonly expiresAt: number;
}

/** A request for a certificate that is malformed, not signed by its own key, or for a key of another kind. */
export class UnfitRequest extends Error {
  override readonly name = 'UnfitRequest';
}

const serialNumber = (): string => `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;

const validity = (now: number, days: number) => ({
  notBefore: new Date(now - BACKDATED_DAYS * DAY_MS),
  notAfter: new Date(now + days * DAY_MS),
});

const pemKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), x509.PemConverter.PrivateKeyTag);

const createAuthority = async (now: number): Promise<KeyAndCertificate> => {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Lintel bridge CA',
    ...validity(now, AUTHORITY_DAYS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { key: await pemKey(keys.privateKey), certificate: certificate.toString('pem') };
};

const loadOrCreate = async (dataDir: string, now: number): Promise<KeyAndCertificate> => {
  const files = { key: join(dataDir, 'ca-key.pem'), certificate: join(dataDir, 'ca.pem') };
  if (existsSync(files.key) && existsSync(files.certificate)) {
    return { key: readFileSync(files.key, 'utf8'), certificate: readFileSync(files.certificate, 'utf8') };
  }
  const made = await createAuthority(now);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(files.certificate, made.certificate, { mode: 0o644, flush: true });
  writeFileSync(files.key, made.key, { mode: 0o600, flush: true });
  return made;
};

const importKey = (pem: string): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), algorithm, true, ['sign']);

export const fingerprintOf = (pem: string): string => {
  const hex = createHash('sha256')
    .update(Buffer.from(x509.PemConverter.decodeFirst(pem)))
    .digest('hex')
    .toUpperCase();
  return hex.match(/../g)!.join(':');
};

const ED25519_KEY_BYTES = 32;

const readRequest = async (pem: string): Promise<x509.Pkcs10CertificateRequest> => {
  try {
    const request = new x509.Pkcs10CertificateRequest(pem);
    if (request.publicKey.algorithm.name === 'Ed25519' && (await request.verify())) return request;
  } catch {
    // What a stranger sends may be anything.
  }
  throw new UnfitRequest('is not a request for an Ed25519 key, in PEM and signed by that key');
};

const deviceCertificate = async (
  request: x509.Pkcs10CertificateRequest,
  { deviceId, isServer }: CertifiedDevice,
  issuer: x509.X509Certificate,
  signingKey: webcrypto.CryptoKey,
  now: number,
): Promise<IssuedCertificate> => {
  const serial = serialNumber();
  const lasts = validity(now, DEVICE_DAYS);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: `CN=${deviceId}`,
    issuer: issuer.subject,
    ...lasts,
    signingAlgorithm: algorithm,
    publicKey: request.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.clientAuth,
        ...(isServer ? [x509.ExtendedKeyUsage.serverAuth] : []),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  const publicKey = Buffer.from(request.publicKey.rawData).subarray(-ED25519_KEY_BYTES).toString('base64url');
  return { certificate: certificate.toString('pem'), serial, publicKey, expiresAt: lasts.notAfter.getTime() };
};

/** The bridge's own authority, made at first start and kept in the data directory. */
export const openCertificateAuthority = async (dataDir: string, now: number): Promise<CertificateAuthority> => {
  const own = await loadOrCreate(dataDir, now);
  const issuer = new x509.X509Certificate(own.certificate);
  return {
    certificate: own.certificate,
    fingerprint: fingerprintOf(own.certificate),
    issueServerCertificate: async (names, at) => {
      const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: `CN=${names[0] ?? 'localhost'}`,
        issuer: issuer.subject,
        ...validity(at, SERVER_DAYS),
        signingAlgorithm: algorithm,
        publicKey: keys.publicKey,
        signingKey: await importKey(own.key),
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(
            names.map(value => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
          ),
          await x509.AuthorityKeyIdentifierExtension.create(issuer),
        ],
      });
      return { key: await pemKey(keys.privateKey), certificate: `${certificate.toString('pem')}\n${own.certificate}` };
    },
    issueDeviceCertificate: async (pem, subject, at) =>
      deviceCertificate(await readRequest(pem), subject, issuer, await importKey(own.key), at),
  };
};
