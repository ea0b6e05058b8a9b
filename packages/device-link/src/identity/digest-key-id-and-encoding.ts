import { hash } from 'node:crypto';

/** Identifies the key without revealing it. */
export const computeDigestKeyId = (key: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from('lintel digest key id'), key])).slice(0, 16);

/** The key as uploaded to the bridge over TLS. */
export interface EncodedDigestKey {
  readonly id: string;
  readonly key: string;
}

export const encodeDigestKey = (key: Uint8Array): EncodedDigestKey => ({
  id: computeDigestKeyId(key),
  key: Buffer.from(key).toString('base64url'),
});
