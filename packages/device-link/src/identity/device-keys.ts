import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, webcrypto } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IdentityError } from './identity-error.ts';
import { writePrivately } from '@lintel/service/data-folder/private-file';

/** The device's own Ed25519 pair: its certificate is for it, and it signs what goes up. */
export interface DeviceKeys {
  /** 32 bytes in base64url. */
  readonly publicKey: string;
  /** PKCS #8, for TLS. */
  readonly privateKeyPem: string;
  sign(bytes: Uint8Array): Uint8Array;
  /** PKCS #10 in PEM. */
  certificateRequest(): Promise<string>;
}

const OTHERS = 0o077;

const requestFor = async (key: KeyObject): Promise<string> => {
  // Loaded only here: it is large, and a device asks for a certificate once a year.
  await import('reflect-metadata');
  const { Pkcs10CertificateRequestGenerator } = await import('@peculiar/x509');
  const algorithm = { name: 'Ed25519' };
  const { subtle } = webcrypto;
  const publicKey = createPublicKey(key);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=lintel device',
    signingAlgorithm: algorithm,
    keys: {
      privateKey: await subtle.importKey('pkcs8', key.export({ format: 'der', type: 'pkcs8' }), algorithm, false, [
        'sign',
      ]),
      publicKey: await subtle.importKey('spki', publicKey.export({ format: 'der', type: 'spki' }), algorithm, true, [
        'verify',
      ]),
    },
  });
  return request.toString('pem');
};

export const deviceKeysOf = (key: KeyObject): DeviceKeys => ({
  publicKey: createPublicKey(key).export({ format: 'jwk' }).x!,
  privateKeyPem: key.export({ format: 'pem', type: 'pkcs8' }) as string,
  sign: bytes => sign(null, bytes, key),
  certificateRequest: () => requestFor(key),
});

const kept = (path: string): KeyObject => {
  const file = openSync(path, 'r');
  try {
    if ((fstatSync(file).mode & OTHERS) !== 0) throw new IdentityError(`${path} must be readable by its owner only`);
    const key = createPrivateKey(readFileSync(file, 'utf8'));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    throw new IdentityError(`${path} is damaged: it is no private key`, { cause: error });
  } finally {
    closeSync(file);
  }
  throw new IdentityError(`${path} is damaged: it is no Ed25519 key`);
};

const made = (path: string): KeyObject => {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    writePrivately(path, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  } catch (error) {
    throw new IdentityError(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  return privateKey;
};

/** Made at first start. A damaged one is not replaced: the certificate would not fit another. Throws an IdentityError. */
export const openDeviceKeys = (dataDir: string): DeviceKeys => {
  const path = join(dataDir, 'identity', 'key.pem');
  try {
    return deviceKeysOf(kept(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      if (error instanceof IdentityError) throw error;
      throw new IdentityError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  }
  return deviceKeysOf(made(path));
};
