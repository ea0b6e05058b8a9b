import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, webcrypto } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode } from '@lintel/service/error-code';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { IdentityError } from './identity-error.ts';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';

/** The Ed25519 key pair of the device, for its certificate and for signatures of uplink messages. */
export interface DeviceKeys {
  /** 32 bytes in base64url. */
  readonly publicKey: string;
  /** PKCS #8, for TLS. */
  readonly privateKeyPem: string;
  sign(bytes: Uint8Array): Uint8Array;
  /** PKCS #10 in PEM. */
  certificateRequest(): Promise<string>;
}

const GROUP_AND_OTHERS = 0o077;

const createCertificateRequest = async (key: KeyObject): Promise<string> => {
  // Loaded on demand, because it is large and rarely needed.
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

export const toDeviceKeys = (key: KeyObject): DeviceKeys => ({
  publicKey: createPublicKey(key).export({ format: 'jwk' }).x!,
  privateKeyPem: key.export({ format: 'pem', type: 'pkcs8' }) as string,
  sign: bytes => sign(null, bytes, key),
  certificateRequest: () => createCertificateRequest(key),
});

const readKey = (path: string): KeyObject => {
  const file = openSync(path, 'r');
  try {
    if ((fstatSync(file).mode & GROUP_AND_OTHERS) !== 0)
      throw new IdentityError(`${path} must be readable by its owner only`);
    const key = createPrivateKey(readFileSync(file, 'utf8'));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    throw new IdentityError(`${path} is damaged: not a private key`, { cause: error });
  } finally {
    closeSync(file);
  }
  throw new IdentityError(`${path} is damaged: not an Ed25519 key`);
};

const createKey = (path: string): KeyObject => {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    writePrivateFile(path, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  } catch (error) {
    throw new IdentityError(`The key cannot be written. ${describeSystemError(error, path)}`, { cause: error });
  }
  return privateKey;
};

/** `start`: creates a key for an unclaimed device only. `claim`: also replaces a lost key, because the claim is for the new one. */
type KeyPurpose = 'start' | 'claim';

/**
 * Created at the first start. Neither a damaged key nor the lost key of a claimed device is replaced, because the
 * certificate belongs to it. Throws an IdentityError.
 */
export const loadOrCreateDeviceKeys = (dataDir: string, purpose: KeyPurpose = 'start'): DeviceKeys => {
  const path = join(dataDir, 'identity', 'key.pem');
  const enrollment = join(dataDir, 'identity', 'membership.json');
  try {
    return toDeviceKeys(readKey(path));
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') {
      if (error instanceof IdentityError) throw error;
      throw new IdentityError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  }
  if (purpose === 'start' && existsSync(enrollment)) {
    const reason = `${path} is missing, but ${enrollment} shows that the device is claimed`;
    throw new IdentityError(`${reason}. Restore the key from a backup, or claim the device again`);
  }
  return toDeviceKeys(createKey(path));
};
