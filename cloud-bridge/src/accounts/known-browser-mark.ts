import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { MasterKeys } from '../secrets/master-keys.ts';
import { computeBlindIndex } from '../secrets/sealing.ts';

const LIFETIME_MS = 180 * 86_400_000;

export const KNOWN_BROWSER_LIFETIME_SECONDS = LIFETIME_MS / 1000;

const signatureOf = (keys: MasterKeys, version: number, subject: string, expiresAt: string, nonce: string): string =>
  computeBlindIndex(keys.derivedKeys(version), 'known_device', `${subject}\0${expiresAt}\0${nonce}`);

/**
 * Marks a browser in which the subject, a user or a guest, has signed in. It grants nothing: it only exempts the browser
 * from limits that strangers can exhaust.
 */
export const issueKnownBrowserMark = (
  keys: MasterKeys,
  subject: string,
  now: number,
  lifetimeMs = LIFETIME_MS,
): string => {
  const [version, expiresAt, nonce] = [
    keys.currentVersion,
    String(now + lifetimeMs),
    randomBytes(16).toString('base64url'),
  ];
  return [version, expiresAt, nonce, signatureOf(keys, version, subject, expiresAt, nonce)].join('.');
};

/** A key for counting attempts of this browser; null unless the mark was issued for the subject. */
export const findKnownBrowserKey = (
  keys: MasterKeys,
  subject: string,
  mark: string | null,
  now: number,
): string | null => {
  const [version = '', expiresAt = '', nonce = '', signature = ''] = mark?.split('.') ?? [];
  if (!keys.versions.includes(Number(version)) || !(Number(expiresAt) > now)) return null;
  const expected = Buffer.from(signatureOf(keys, Number(version), subject, expiresAt, nonce));
  const actual = Buffer.from(signature);
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? `${subject} ${nonce}` : null;
};
