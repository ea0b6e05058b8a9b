import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { pkcs8OfSeed, readMemberToken } from '@lintel/wire-protocol/phone/member-token';
import type { PhoneKey } from '@lintel/wire-protocol/phone/phone-side';

/** The key pair of a member token; null when the text is no token. */
export const phoneKeyOf = (token: string): PhoneKey | null => {
  const seed = readMemberToken(token);
  if (seed === null) return null;
  const key = createPrivateKey({ key: Buffer.from(pkcs8OfSeed(seed)), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { publicKey: new Uint8Array(Buffer.from(x, 'base64url')), sign: message => sign(null, message, key) };
};
