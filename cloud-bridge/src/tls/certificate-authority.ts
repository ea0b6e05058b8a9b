// @peculiar/x509 requires it to be loaded first.
import { DAY_MS } from '@lintel/access-core/durations';
import 'reflect-metadata';
import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { isCanonicalPublicKey } from '@lintel/crypto/public-key';
import { readRequiredFile } from '@lintel/service/data-folder/file-error';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import * as x509 from '@peculiar/x509';
import { KeyMaterialError } from '../secrets/key-material-error.ts';

export const certificateKeyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

const AUTHORITY_DAYS = 20 * 365;
const SERVER_DAYS = 397;
/** Renewed at half of its lifetime, so that a controller may be offline for a year. */
const DEVICE_DAYS = 730;
/** Lets a controller whose clock is behind accept a new certificate. */
const BACKDATED_DAYS = 1;

export interface KeyAndCertificate {
  readonly key: string;
  readonly certificate: string;
}

export interface CertificateAuthority {
  readonly certificate: string;
  /** SHA-256 of the certificate as colon-separated hex bytes. */
  readonly fingerprint: string;
  issueServerCertificate(names: readonly string[], now: number): Promise<KeyAndCertificate>;
  /** Certifies the controller's own key; the request proves its possession. Throws a CertificateRequestError. */
  issueDeviceCertificate(request: string, subject: CertifiedDevice, now: number): Promise<IssuedCertificate>;
}

interface CertifiedDevice {
  readonly deviceId: string;
  readonly organizationId: string;
  /** True for a site gateway, which also serves TLS to the devices of its site with this certificate. */
  readonly isServer: boolean;
}

export interface IssuedCertificate {
  /** PEM, without the certificate of the authority. */
  readonly certificate: string;
  /** Lower-case hex. */
  readonly serial: string;
  /** Ed25519, 32 bytes in base64url. */
  readonly publicKey: string;
  readonly expiresAt: number;
}

/** The certificate request is malformed, not signed by its own key, or for another key type. */
export class CertificateRequestError extends Error {
  override readonly name = 'CertificateRequestError';
}

const serialNumber = (): string => `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;

const validity = (now: number, days: number) => ({
  notBefore: new Date(now - BACKDATED_DAYS * DAY_MS),
  notAfter: new Date(now + days * DAY_MS),
});

export const exportPrivateKeyPem = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), x509.PemConverter.PrivateKeyTag);

const createAuthority = async (now: number): Promise<KeyAndCertificate> => {
  const keys = await webcrypto.subtle.generateKey(certificateKeyAlgorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Lintel bridge CA',
    ...validity(now, AUTHORITY_DAYS),
    signingAlgorithm: certificateKeyAlgorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { key: await exportPrivateKeyPem(keys.privateKey), certificate: certificate.toString('pem') };
};

export const AUTHORITY_KEY_FILE = 'ca-key.pem';
export const AUTHORITY_CERTIFICATE_FILE = 'ca.pem';

const authorityFiles = (dataDir: string): KeyAndCertificate => ({
  key: join(dataDir, AUTHORITY_KEY_FILE),
  certificate: join(dataDir, AUTHORITY_CERTIFICATE_FILE),
});

const RESTORE = 'Restore ca.pem and ca-key.pem from a backup, because claimed controllers trust no other authority';

export const isKeyOfCertificate = (key: string, certificate: string): boolean => {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
};

const load = (dataDir: string): KeyAndCertificate => {
  const files = authorityFiles(dataDir);
  const [key, certificate] = [readRequiredFile(files.key), readRequiredFile(files.certificate)];
  if (!isKeyOfCertificate(key, certificate))
    throw new KeyMaterialError(
      `${files.key} is empty, damaged or does not belong to ${files.certificate}. ${RESTORE}.`,
    );
  return { key, certificate };
};

const loadOrCreate = async (dataDir: string, now: number, mayCreate: boolean): Promise<KeyAndCertificate> => {
  const files = authorityFiles(dataDir);
  const missing = [files.key, files.certificate].filter(file => !existsSync(file));
  if (missing.length === 0) return load(dataDir);
  if (!mayCreate) throw new KeyMaterialError(`${missing.join(' and ')} missing. ${RESTORE}.`);
  const created = await createAuthority(now);
  writePrivateFile(files.key, created.key);
  writePrivateFile(files.certificate, created.certificate);
  return created;
};

/** Renames the files of the authority, so that the next start creates another one. */
export const renameCertificateAuthorityFiles = (dataDir: string, suffix: string): void => {
  for (const file of Object.values(authorityFiles(dataDir)) as string[])
    if (existsSync(file)) renameSync(file, `${file}.${suffix}`);
};

const importKey = (pem: string): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), certificateKeyAlgorithm, true, ['sign']);

export const computeCertificateFingerprint = (pem: string): string => {
  const hex = createHash('sha256')
    .update(Buffer.from(x509.PemConverter.decodeFirst(pem)))
    .digest('hex')
    .toUpperCase();
  return hex.match(/../g)!.join(':');
};

const ED25519_KEY_BYTES = 32;

const rawKeyOf = ({ publicKey }: x509.Pkcs10CertificateRequest): string =>
  Buffer.from(publicKey.rawData).subarray(-ED25519_KEY_BYTES).toString('base64url');

const parseCertificateRequest = async (pem: string): Promise<x509.Pkcs10CertificateRequest> => {
  try {
    const request = new x509.Pkcs10CertificateRequest(pem);
    const isEd25519 = request.publicKey.algorithm.name === 'Ed25519';
    if (isEd25519 && isCanonicalPublicKey('Ed25519', rawKeyOf(request)) && (await request.verify())) return request;
  } catch {
    // Malformed input is reported below.
  }
  throw new CertificateRequestError('must be a PEM certificate request for an Ed25519 key, signed by that key');
};

const deviceCertificate = async (
  request: x509.Pkcs10CertificateRequest,
  { deviceId, organizationId, isServer }: CertifiedDevice,
  issuer: x509.X509Certificate,
  signingKey: webcrypto.CryptoKey,
  now: number,
): Promise<IssuedCertificate> => {
  const serial = serialNumber();
  const period = validity(now, DEVICE_DAYS);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: `CN=${deviceId},O=${organizationId}`,
    issuer: issuer.subject,
    ...period,
    signingAlgorithm: certificateKeyAlgorithm,
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
  const publicKey = rawKeyOf(request);
  return { certificate: certificate.toString('pem'), serial, publicKey, expiresAt: period.notAfter.getTime() };
};

/**
 * Opens the bridge's own certificate authority. Creates it in the data directory if `mayCreate`. Throws a
 * KeyMaterialError for files that are missing or damaged.
 */
export const openCertificateAuthority = async (
  dataDir: string,
  now: number,
  mayCreate = true,
): Promise<CertificateAuthority> => {
  const authority = await loadOrCreate(dataDir, now, mayCreate);
  const issuer = new x509.X509Certificate(authority.certificate);
  return {
    certificate: authority.certificate,
    fingerprint: computeCertificateFingerprint(authority.certificate),
    issueServerCertificate: async (names, at) => {
      const keys = await webcrypto.subtle.generateKey(certificateKeyAlgorithm, true, ['sign', 'verify']);
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: `CN=${names[0] ?? 'localhost'}`,
        issuer: issuer.subject,
        ...validity(at, SERVER_DAYS),
        signingAlgorithm: certificateKeyAlgorithm,
        publicKey: keys.publicKey,
        signingKey: await importKey(authority.key),
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
      return {
        key: await exportPrivateKeyPem(keys.privateKey),
        certificate: `${certificate.toString('pem')}\n${authority.certificate}`,
      };
    },
    issueDeviceCertificate: async (pem, subject, at) =>
      deviceCertificate(await parseCertificateRequest(pem), subject, issuer, await importKey(authority.key), at),
  };
};
