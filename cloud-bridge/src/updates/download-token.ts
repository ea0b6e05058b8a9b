import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterKeys } from '../secrets/master-keys.ts';

export interface ReleaseDownloadGrant {
  readonly rolloutId: string;
  readonly deviceId: string;
}

const computeToken = (keys: MasterKeys, version: number, { rolloutId, deviceId }: ReleaseDownloadGrant): Buffer =>
  createHmac('sha256', keys.derivedKeys(version).blinding)
    .update(`lintel release download 1\n${rolloutId}\n${deviceId}`)
    .digest();

/** Deterministic, so that all bridges create the same token. Valid for one device and one roll-out. */
export const createReleaseDownloadToken = (keys: MasterKeys, grant: ReleaseDownloadGrant): string =>
  computeToken(keys, keys.currentVersion, grant).toString('base64url');

export const isValidReleaseDownloadToken = (keys: MasterKeys, grant: ReleaseDownloadGrant, token: string): boolean => {
  const given = Buffer.from(token, 'base64url');
  return keys.versions.some(version => {
    const expected = computeToken(keys, version, grant);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
};
