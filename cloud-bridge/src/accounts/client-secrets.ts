import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../secrets/tokens.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const RANDOM_SECRET_PREFIX = 'sha256:';

/** A fast hash is sufficient for a secret of 256 random bits, and keeps the token endpoint fast. */
export const hashRandomSecret = (secret: string): string => RANDOM_SECRET_PREFIX + hashToken(secret);

/** A slow hash, because a secret that a person chose can be guessed. */
export const hashUserChosenSecret = (secret: string): Promise<string> => hashPassword(secret);

const isEqual = (first: string, second: string): boolean => {
  const [a, b] = [Buffer.from(first), Buffer.from(second)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const verifyClientSecret = async (stored: string, secret: string): Promise<boolean> =>
  stored.startsWith(RANDOM_SECRET_PREFIX) ? isEqual(stored, hashRandomSecret(secret)) : verifyPassword(stored, secret);
