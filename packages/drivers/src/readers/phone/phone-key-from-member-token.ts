import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { encodeEd25519Pkcs8, parseMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import type { PhoneKey } from '@lintel/wire-protocol/phone/nfc-phone-responder';

/** The key pair of a member token; null if the text is not a token. */
export const toPhoneKey = (token: string): PhoneKey | null => {
  const seed = parseMemberTokenSeed(token);
  if (seed === null) return null;
  const key = createPrivateKey({ key: Buffer.from(encodeEd25519Pkcs8(seed)), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { publicKey: new Uint8Array(Buffer.from(x, 'base64url')), sign: message => sign(null, message, key) };
};
