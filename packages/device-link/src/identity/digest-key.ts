import { hash } from 'node:crypto';

/** Names the key without telling it, so that what was digested with another one is noticed. */
export const digestKeyId = (key: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from('lintel digest key id'), key])).slice(0, 16);

/** As it is told to the bridge, once and over TLS. */
export interface ToldDigestKey {
  readonly id: string;
  readonly key: string;
}

export const toldDigestKey = (key: Uint8Array): ToldDigestKey => ({
  id: digestKeyId(key),
  key: Buffer.from(key).toString('base64url'),
});
