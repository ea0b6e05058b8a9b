import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { getErrorCode } from '@lintel/service/error-code';
import { readFileIfExists, setAsideDamagedFile, UnreadableFileError } from '@lintel/service/data-folder/damaged-file';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import {
  createSelfSignedCertificate,
  type SelfSignedCertificate,
  computeShortKeyName,
} from './self-signed-certificate.ts';

export interface TechnicianPageCertificate extends SelfSignedCertificate {
  /** SHA-256 as printed on the label: pairs of hex digits with colons. */
  readonly fingerprint: string;
  /** Host name of the controller, such as `lintel-7f3a`. */
  readonly name: string;
}

/* The fingerprint is printed on the label, so the certificate must outlast the device, and be valid before the clock is set. */
const NOT_BEFORE = Date.parse('2020-01-01T00:00:00Z');
const NOT_AFTER = Date.parse('2060-01-01T00:00:00Z');

const nameOf = (keyName: string): string => `lintel-${keyName}`;

const isHostName = (name: string): boolean => /^[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/.test(name);

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    // A link-local address needs its interface, which a certificate cannot name.
    .filter(({ address }) => !address.startsWith('fe80:'))
    .map(({ address }) => address);

export const listTechnicianPageHostNames = (name: string): string[] => {
  const host = hostname();
  return [`${name}.local`, name, 'localhost', ...(isHostName(host) ? [host, `${host}.local`] : [])];
};

const readPair = (folder: string): SelfSignedCertificate | null => {
  try {
    const [key, certificate] = ['key.pem', 'certificate.pem'].map(
      name => readFileIfExists(join(folder, name))?.toString('utf8') ?? '',
    ) as [string, string];
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)) ? { key, certificate } : null;
  } catch (error) {
    if (error instanceof UnreadableFileError && getErrorCode(error.cause) !== 'EISDIR') throw error;
    return null;
  }
};

const withName = (pair: SelfSignedCertificate): TechnicianPageCertificate => {
  const { fingerprint256, publicKey } = new X509Certificate(pair.certificate);
  const name = nameOf(computeShortKeyName(publicKey.export({ format: 'der', type: 'spki' })));
  return { ...pair, fingerprint: fingerprint256, name };
};

/** `names` returns the host names and addresses of the controller, given the name that derives from its key. */
export const createTechnicianPageCertificate = async (
  names: (name: string) => readonly string[],
): Promise<TechnicianPageCertificate> =>
  withName(
    await createSelfSignedCertificate({
      names: keyName => [...new Set(names(nameOf(keyName)))],
      notBefore: NOT_BEFORE,
      notAfter: NOT_AFTER,
    }),
  );

/** Null without a certificate, or when key and certificate do not match. Throws an UnreadableFileError. */
export const readTechnicianPageCertificate = (folder: string): TechnicianPageCertificate | null => {
  const pair = readPair(folder);
  return pair === null ? null : withName(pair);
};

const createAndSave = async (folder: string): Promise<TechnicianPageCertificate> => {
  const pair = await createTechnicianPageCertificate(name => [...listTechnicianPageHostNames(name), ...ownAddresses()]);
  for (const [name, content] of [
    ['key.pem', pair.key],
    ['certificate.pem', pair.certificate],
  ] as const) {
    const path = join(folder, name);
    if (existsSync(path)) setAsideDamagedFile(path, 'no certificate with its key');
    writePrivateFile(path, content);
  }
  return pair;
};

/** A damaged certificate is set aside and replaced. Its fingerprint then differs from the label. */
export const loadOrCreateTechnicianPageCertificate = async (folder: string): Promise<TechnicianPageCertificate> =>
  readTechnicianPageCertificate(folder) ?? (await createAndSave(folder));
