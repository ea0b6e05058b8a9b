import { createHash, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

export interface SelfSigned {
  readonly key: string;
  readonly certificate: string;
}

interface SelfSignedOptions {
  /** Host names and addresses, the first is the common name; told the key's short name, which suits one machine only. */
  readonly names: (keyName: string) => readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
}

const KEY_NAME_DIGITS = 4;

/** Four digits of hex that stand for a public key, to tell the machines of a network apart. */
export const shortKeyName = (spki: Uint8Array): string =>
  createHash('sha256').update(spki).digest('hex').slice(0, KEY_NAME_DIGITS);

/** For pages that no authority vouches for: people compare its fingerprint. ECDSA, because browsers refuse Ed25519. */
export const makeSelfSigned = async ({ names, notBefore, notAfter }: SelfSignedOptions): Promise<SelfSigned> => {
  // Loaded only here: it is large, and a certificate is made once.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const spki = new Uint8Array(await webcrypto.subtle.exportKey('spki', keys.publicKey));
  const called = names(shortKeyName(spki));
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`,
    name: `CN=${called[0] ?? 'lintel'}`,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        called.map(value => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const key = x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag);
  return { key: `${key}\n`, certificate: `${certificate.toString('pem')}\n` };
};
