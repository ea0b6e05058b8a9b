import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { getErrorCode } from '@lintel/service/error-code';

/** Trusted public keys by key id. */
export interface ReleasePublicKeys {
  readonly byId: ReadonlyMap<string, KeyObject>;
  /** Messages about files that are not valid keys. */
  readonly problems: readonly string[];
}

const ID_LENGTH = 16;

/** A prefix of the digest, long enough to distinguish a few keys. */
const keyIdOf = (key: KeyObject): string => {
  const raw = Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');
  return createHash('sha256').update(raw).digest('hex').slice(0, ID_LENGTH);
};

const readPublicKey = (file: string): KeyObject => {
  const key = createPublicKey(readFileSync(file, 'utf8'));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return key;
};

/** OpenSSL names its decoders, not what is wrong with the file. */
const describeKeyProblem = (error: unknown, file: string): string =>
  (error as NodeJS.ErrnoException).syscall === undefined
    ? `${file} is not an Ed25519 public key in PEM format`
    : describeSystemError(error, file);

/** Reads every `*.pub` in a folder: several keys make key rotation possible. A missing folder has no keys. */
export const readReleasePublicKeys = (folder: string): ReleasePublicKeys => {
  const byId = new Map<string, KeyObject>();
  const problems: string[] = [];
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.pub'));
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') problems.push(describeSystemError(error, folder));
  }
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    try {
      const key = readPublicKey(file);
      byId.set(keyIdOf(key), key);
    } catch (error) {
      problems.push(describeKeyProblem(error, file));
    }
  }
  return { byId, problems };
};

/** Throws when the folder has no key. */
export const requireReleasePublicKeys = (folder: string): ReleasePublicKeys => {
  const keys = readReleasePublicKeys(folder);
  if (keys.byId.size > 0) return keys;
  throw new Error(keys.problems.length > 0 ? keys.problems.join('\n') : `${folder} has no public keys (*.pub)`);
};

export interface ReleaseSigner {
  readonly keyId: string;
  readonly publicPem: string;
  sign(bytes: Uint8Array): Uint8Array;
}

/** Throws unless the text is an Ed25519 private key in PEM format. */
export const createReleaseSigner = (pem: string): ReleaseSigner => {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  const publicKey = createPublicKey(key);
  return {
    keyId: keyIdOf(publicKey),
    publicPem: publicKey.export({ format: 'pem', type: 'spki' }) as string,
    sign: bytes => sign(null, bytes, key),
  };
};

/** A private key in PEM. */
export const generateReleasePrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
