import { MINUTE_MS } from '@lintel/access-core/durations';
import { randomInt, timingSafeEqual } from 'node:crypto';
import type { guestLoginCodeErrorReasons } from '@lintel/wire-protocol/guest/guest-api';
import type { MasterKeys } from '../secrets/master-keys.ts';
import { computeBlindIndex } from '../secrets/sealing.ts';
import { hashToken, createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';

const LIFETIME_MS = 10 * MINUTE_MS;
const MAX_ATTEMPTS = 5;

/** A keyed hash, because a plain hash of six digits can be reversed with a million guesses. */
const blindCode = (keys: MasterKeys, version: number, loginId: string, code: string): string =>
  computeBlindIndex(keys.derivedKeys(version), 'guest_code', `${loginId}\0${code}`);

const isEqual = (a: string, b: string): boolean => {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
};

export interface GuestLoginCode {
  /** Known only to the browser that requested the code, so that other clients can neither use it nor exhaust its attempts. */
  readonly loginId: string;
  readonly code: string;
}

/** Also stores a code for an unknown address, so that responses do not reveal which addresses exist. */
export const createGuestLoginCode = async (
  { storage, masterKeys }: Pick<BridgeServices, 'storage' | 'masterKeys'>,
  email: string,
  now: number,
  lifetimeMs = LIFETIME_MS,
): Promise<GuestLoginCode> => {
  const loginId = createSecretToken('lgl_');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const row = {
    hash: hashToken(loginId),
    email,
    blind: blindCode(masterKeys, masterKeys.currentVersion, loginId, code),
    tries_left: MAX_ATTEMPTS,
    expires_at: now + lifetimeMs,
  };
  await storage.writer.insertInto('guest_codes').values(row).execute();
  await storage.writer.deleteFrom('guest_codes').where('expires_at', '<=', now).execute();
  return { loginId, code };
};

type CodeProblem = (typeof guestLoginCodeErrorReasons)[number];

export type GuestLoginCodeRedemptionResult = { readonly email: string } | { readonly problem: CodeProblem };

/** Counts the attempt before checking it. A correct code works once, even for concurrent requests. */
export const redeemGuestLoginCode = async (
  { storage, masterKeys }: Pick<BridgeServices, 'storage' | 'masterKeys'>,
  { loginId, code }: GuestLoginCode,
  now: number,
): Promise<GuestLoginCodeRedemptionResult> => {
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
  const isCorrect = masterKeys.versions.some(version =>
    isEqual(row.blind, blindCode(masterKeys, version, loginId, code)),
  );
  if (!isCorrect) return { problem: row.tries_left > 0 ? 'wrong_code' : 'code_expired' };
  const deletion = await storage.writer.deleteFrom('guest_codes').where('hash', '=', hash).executeTakeFirst();
  return deletion.numDeletedRows > 0n ? { email: row.email } : { problem: 'code_expired' };
};
