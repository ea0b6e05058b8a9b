import { randomInt, timingSafeEqual } from 'node:crypto';
import type { codeProblems } from '@lintel/wire-protocol/guest/guest-api';
import type { MasterKeys } from '../secrets/master-key.ts';
import { blind } from '../secrets/sealing.ts';
import { hashToken, newToken } from '../secrets/token-hash.ts';
import type { Services } from '../services.ts';

const LIFETIME_MS = 10 * 60_000;
const TRIES = 5;

/** Keyed: a hash of six digits alone would be found by trying a million. */
const blindCode = (keys: MasterKeys, version: number, loginId: string, code: string): string =>
  blind(keys.keys(version), 'guest_code', `${loginId}\0${code}`);

const isSame = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};

export interface NewCode {
  /** Stays with the browser that asked: without it the code is worth nothing, and nobody else can use up its tries. */
  readonly loginId: string;
  readonly code: string;
}

/** Kept for an address that nobody has too, so that the two cannot be told apart. */
export const newLoginCode = async (
  { storage, masterKeys }: Pick<Services, 'storage' | 'masterKeys'>,
  email: string,
  now: number,
): Promise<NewCode> => {
  const loginId = newToken('lgl_');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const row = {
    hash: hashToken(loginId),
    email,
    blind: blindCode(masterKeys, masterKeys.currentVersion, loginId, code),
    tries_left: TRIES,
    expires_at: now + LIFETIME_MS,
  };
  await storage.writer.insertInto('guest_codes').values(row).execute();
  await storage.writer.deleteFrom('guest_codes').where('expires_at', '<=', now).execute();
  return { loginId, code };
};

type CodeProblem = (typeof codeProblems)[number];

export type CodeCheck = { readonly email: string } | { readonly problem: CodeProblem };

/** The try is counted before it is judged, and a right code is good once, however many ask at the same time. */
export const checkLoginCode = async (
  { storage, masterKeys }: Pick<Services, 'storage' | 'masterKeys'>,
  { loginId, code }: NewCode,
  now: number,
): Promise<CodeCheck> => {
  const hash = hashToken(loginId);
  const row = await storage.writer
    .updateTable('guest_codes')
    .set(({ eb }) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('hash', '=', hash)
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return { problem: 'code_expired' };
  const isRight = masterKeys.versions.some(version => isSame(row.blind, blindCode(masterKeys, version, loginId, code)));
  if (!isRight) return { problem: row.tries_left > 0 ? 'wrong_code' : 'code_expired' };
  const used = await storage.writer.deleteFrom('guest_codes').where('hash', '=', hash).executeTakeFirst();
  return used.numDeletedRows > 0n ? { email: row.email } : { problem: 'code_expired' };
};
