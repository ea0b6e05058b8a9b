import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { writePrivately } from '@lintel/service/data-folder/private-file';
import { makeSelfSigned, type SelfSigned, shortKeyName } from './self-signed.ts';

export interface PageCertificate extends SelfSigned {
  /** SHA-256, as people compare it and as the label has it: pairs of hex digits with colons. */
  readonly fingerprint: string;
  /** `lintel-7f3a`: what the controller is called on the network. */
  readonly name: string;
}

/*
 * The label says the fingerprint, so the certificate has to outlast the label, and to be valid on a board whose clock
 * has not been set yet.
 */
const NOT_BEFORE = Date.parse('2020-01-01T00:00:00Z');
const NOT_AFTER = Date.parse('2060-01-01T00:00:00Z');

const nameOf = (keyName: string): string => `lintel-${keyName}`;

const isHostName = (name: string): boolean => /^[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/.test(name);

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    // A link-local address is nothing without its interface, which a certificate cannot name.
    .filter(({ address }) => !address.startsWith('fe80:'))
    .map(({ address }) => address);

export const hostNames = (name: string): string[] => {
  const host = hostname();
  return [`${name}.local`, name, 'localhost', ...(isHostName(host) ? [host, `${host}.local`] : [])];
};

const readKept = (folder: string): SelfSigned | null => {
  try {
    const key = readFileSync(join(folder, 'key.pem'), 'utf8');
    const certificate = readFileSync(join(folder, 'certificate.pem'), 'utf8');
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)) ? { key, certificate } : null;
  } catch {
    return null;
  }
};

const named = (pair: SelfSigned): PageCertificate => {
  const { fingerprint256, publicKey } = new X509Certificate(pair.certificate);
  const name = nameOf(shortKeyName(publicKey.export({ format: 'der', type: 'spki' })));
  return { ...pair, fingerprint: fingerprint256, name };
};

/** For a controller that is called by these names and addresses, told what its key makes of its own name. */
export const makePageCertificate = async (names: (name: string) => readonly string[]): Promise<PageCertificate> =>
  named(
    await makeSelfSigned({
      names: keyName => [...new Set(names(nameOf(keyName)))],
      notBefore: NOT_BEFORE,
      notAfter: NOT_AFTER,
    }),
  );

/** Null when there is none, or when key and certificate do not belong together. */
export const readPageCertificate = (folder: string): PageCertificate | null => {
  const kept = readKept(folder);
  return kept === null ? null : named(kept);
};

const made = async (folder: string): Promise<PageCertificate> => {
  const pair = await makePageCertificate(name => [...hostNames(name), ...ownAddresses()]);
  writePrivately(join(folder, 'key.pem'), pair.key);
  writePrivately(join(folder, 'certificate.pem'), pair.certificate);
  return pair;
};

/** Made at first start. One that is damaged is made anew: the page is then as distrusted as before, and says another fingerprint. */
export const openPageCertificate = async (folder: string): Promise<PageCertificate> =>
  readPageCertificate(folder) ?? (await made(folder));
