import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whose signature is believed, by the id of the key. */
export interface ReleaseKeys {
  readonly byId: ReadonlyMap<string, KeyObject>;
  /** Files that are no keys, in words. */
  readonly problems: readonly string[];
}

const ID_LENGTH = 16;

/** The beginning of a digest: enough to tell a few keys apart. */
const keyIdOf = (key: KeyObject): string => {
  const raw = Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');
  return createHash('sha256').update(raw).digest('hex').slice(0, ID_LENGTH);
};

const publicKeyIn = (file: string): KeyObject => {
  const key = createPublicKey(readFileSync(file, 'utf8'));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key');
  return key;
};

/** Every `*.pub` of a folder: several, so that one key can take over from another. No folder is no key. */
export const readReleaseKeys = (folder: string): ReleaseKeys => {
  const byId = new Map<string, KeyObject>();
  const problems: string[] = [];
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.pub'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') problems.push(`${folder}: ${(error as Error).message}`);
  }
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    try {
      const key = publicKeyIn(file);
      byId.set(keyIdOf(key), key);
    } catch (error) {
      problems.push(`${file} is no public key in PEM: ${(error as Error).message}`);
    }
  }
  return { byId, problems };
};

/** For somebody who has named the folder: one without a key is a mistake. */
export const requireReleaseKeys = (folder: string): ReleaseKeys => {
  const keys = readReleaseKeys(folder);
  if (keys.byId.size > 0) return keys;
  throw new Error([`${folder} has no public key: it must be a folder with *.pub`, ...keys.problems].join('\n'));
};

export interface ReleaseSigner {
  readonly keyId: string;
  readonly publicPem: string;
  sign(bytes: Uint8Array): Uint8Array;
}

/** Throws what is wrong with the text. */
export const signerOf = (pem: string): ReleaseSigner => {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key');
  const publicKey = createPublicKey(key);
  return {
    keyId: keyIdOf(publicKey),
    publicPem: publicKey.export({ format: 'pem', type: 'spki' }) as string,
    sign: bytes => sign(null, bytes, key),
  };
};

/** A private key in PEM. */
export const newReleaseKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
