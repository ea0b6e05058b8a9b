// @peculiar/x509 requires it to be loaded first.
import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { certificateKeyAlgorithm, exportPrivateKeyPem } from '../tls/certificate-authority.ts';

const generateKeys = () => webcrypto.subtle.generateKey(certificateKeyAlgorithm, true, ['sign', 'verify']);

const nameExtension = (name: string) => new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]);

/** PEM of a new private key for the account. */
export const createAcmeAccountKey = async (): Promise<string> => exportPrivateKeyPem((await generateKeys()).privateKey);

/** Creates a key and a certificate request for it, in DER. */
export const createKeyAndCertificateRequest = async (name: string): Promise<{ key: string; request: Buffer }> => {
  const keys = await generateKeys();
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: certificateKeyAlgorithm,
    extensions: [nameExtension(name)],
  });
  return { key: await exportPrivateKeyPem(keys.privateKey), request: Buffer.from(request.rawData) };
};

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const OCTET_STRING_OF_32_BYTES = [0x04, 0x20];
const CHALLENGE_LIFETIME_MS = 86_400_000;

/** The self-signed certificate that answers a TLS-ALPN challenge (RFC 8737). */
export const createAcmeChallengeTlsContext = async (
  name: string,
  keyAuthorization: string,
  now: number,
): Promise<SecureContext> => {
  const keys = await generateKeys();
  const digest = createHash('sha256').update(keyAuthorization).digest();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(now - CHALLENGE_LIFETIME_MS),
    notAfter: new Date(now + CHALLENGE_LIFETIME_MS),
    signingAlgorithm: certificateKeyAlgorithm,
    keys,
    extensions: [
      nameExtension(name),
      new x509.Extension(ACME_IDENTIFIER, true, Buffer.from([...OCTET_STRING_OF_32_BYTES, ...digest])),
    ],
  });
  return createSecureContext({ key: await exportPrivateKeyPem(keys.privateKey), cert: certificate.toString('pem') });
};
