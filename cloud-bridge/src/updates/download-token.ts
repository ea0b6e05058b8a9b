import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterKeys } from '../secrets/master-key.ts';

export interface DownloadRight {
  readonly rolloutId: string;
  readonly deviceId: string;
}

const tokenUnder = (keys: MasterKeys, version: number, { rolloutId, deviceId }: DownloadRight): Buffer =>
  createHmac('sha256', keys.keys(version).blinding)
    .update(`lintel release download 1\n${rolloutId}\n${deviceId}`)
    .digest();

/** The same however often it is told, and by whichever bridge; good for one device and one roll-out. */
export const downloadToken = (keys: MasterKeys, right: DownloadRight): string =>
  tokenUnder(keys, keys.currentVersion, right).toString('base64url');

export const isDownloadToken = (keys: MasterKeys, right: DownloadRight, token: string): boolean => {
  const given = Buffer.from(token, 'base64url');
  return keys.versions.some(version => {
    const own = tokenUnder(keys, version, right);
    return own.length === given.length && timingSafeEqual(own, given);
  });
};
