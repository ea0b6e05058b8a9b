import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../secrets/token-hash.ts';
import { hashPassword, passwordMatches } from './passwords.ts';

const RANDOM = 'sha256:';

/** For a secret of 256 random bits: a fast hash is enough, and the token endpoint stays fast. */
export const hashRandomSecret = (secret: string): string => RANDOM + hashToken(secret);

/** For a secret that a person chose: it may be guessable, so guessing is made slow. */
export const hashChosenSecret = (secret: string): Promise<string> => hashPassword(secret);

const equal = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export const secretMatches = async (stored: string, secret: string): Promise<boolean> =>
  stored.startsWith(RANDOM) ? equal(stored, hashRandomSecret(secret)) : passwordMatches(stored, secret);
