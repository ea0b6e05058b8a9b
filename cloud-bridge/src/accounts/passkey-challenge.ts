import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';

const LIFETIME_MS = 3_600_000;

const signatureOf = (secret: string, nonce: string, expiresAt: string): string =>
  createHmac('sha256', secret).update(`lintel passkey challenge ${nonce} ${expiresAt}`).digest('base64url');

/** A challenge that needs no storage until it is answered. It is bound to the secret in a cookie of the browser. */
export const createPasskeyChallenge = (secret: string, now: number): string => {
  const [nonce, expiresAt] = [randomBytes(16).toString('base64url'), String(now + LIFETIME_MS)];
  return `${nonce}.${expiresAt}.${signatureOf(secret, nonce, expiresAt)}`;
};

/** False if the nonce was used before. It is remembered until it expires. */
export const useOnce = async (
  db: Kysely<Database>,
  nonce: string,
  expiresAt: number,
  now: number,
): Promise<boolean> => {
  await db.deleteFrom('used_passkey_challenges').where('expires_at', '<=', now).execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_passkey_challenges')
    .values({ challenge: nonce, expires_at: expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** Accepts the base64url form of a challenge once, for the browser that it was issued to. */
export const consumePasskeyChallenge = async (
  db: Kysely<Database>,
  secret: string,
  encoded: string,
  now: number,
): Promise<boolean> => {
  const challenge = Buffer.from(encoded, 'base64url').toString();
  const [nonce = '', expiresAt = '', signature = ''] = challenge.split('.');
  const [expected, actual] = [Buffer.from(signatureOf(secret, nonce, expiresAt)), Buffer.from(signature)];
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual) || Number(expiresAt) <= now) return false;
  return useOnce(db, nonce, Number(expiresAt), now);
};
