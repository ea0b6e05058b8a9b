import { timingSafeEqual } from 'node:crypto';
import type { DerivedKeys, MasterKeys } from '../secrets/master-keys.ts';
import { computeBlindIndex, parseSealedKeyVersion } from '../secrets/sealing.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import { verifyPassword } from './passwords.ts';

/**
 * `v<key version>.<keyed hash>`. Fast, so that wrong secrets cost no processor time. The key is not in the database, so a
 * stolen database does not permit guessing a secret that a person chose.
 */
export const hashClientSecret = (keys: DerivedKeys, applicationId: string, secret: string): string =>
  `v${keys.version}.${computeBlindIndex(keys, `client_secret/${applicationId}`, secret)}`;

/** Older bridges stored generated secrets with this prefix, and chosen ones with Argon2. */
const SHA256_PREFIX = 'sha256:';

const isEqual = (first: string, second: string): boolean => {
  const [a, b] = [Buffer.from(first), Buffer.from(second)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export interface StoredClientSecretHash {
  readonly applicationId: string;
  readonly hash: string;
}

/** Synchronous for all hashes but those of Argon2. */
export const verifyClientSecret = (
  masterKeys: MasterKeys,
  { applicationId, hash }: StoredClientSecretHash,
  secret: string,
): boolean | Promise<boolean> => {
  if (hash.startsWith(SHA256_PREFIX)) return isEqual(hash, SHA256_PREFIX + hashToken(secret));
  const version = parseSealedKeyVersion(hash);
  if (Number.isNaN(version)) return verifyPassword(hash, secret);
  return isEqual(hash, hashClientSecret(masterKeys.derivedKeys(version), applicationId, secret));
};
