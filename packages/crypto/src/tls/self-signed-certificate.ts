import { createHash, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

export interface SelfSignedCertificate {
  readonly key: string;
  readonly certificate: string;
}

interface SelfSignedOptions {
  /** Returns host names and addresses, the common name first. `keyName` is the short name of the new key. */
  readonly names: (keyName: string) => readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
}

const KEY_NAME_DIGITS = 4;

/** Four hex digits of the digest of a public key, to distinguish the machines on a network. */
export const computeShortKeyName = (spki: Uint8Array): string =>
  createHash('sha256').update(spki).digest('hex').slice(0, KEY_NAME_DIGITS);

/** For pages whose fingerprint people compare. ECDSA, because browsers reject Ed25519. */
export const createSelfSignedCertificate = async ({
  names,
  notBefore,
  notAfter,
}: SelfSignedOptions): Promise<SelfSignedCertificate> => {
  // Loaded on demand: the library is large, and a certificate is created once.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const spki = new Uint8Array(await webcrypto.subtle.exportKey('spki', keys.publicKey));
  const hostNames = names(computeShortKeyName(spki));
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`,
    name: `CN=${hostNames[0] ?? 'lintel'}`,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hostNames.map(value => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const key = x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag);
  return { key: `${key}\n`, certificate: `${certificate.toString('pem')}\n` };
};
