import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { encodeMemberToken, MEMBER_TOKEN_SEED_BYTES, pkcs8OfSeed } from '@lintel/wire-protocol/phone/member-token';
import type { Metadata } from '@lintel/wire-protocol/rest/metadata';
import type { MemberTokenRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { newCredential, tellOfCredential } from './member-credentials.ts';

/** The raw 32 bytes of the public key, as base64url. */
const publicKeyOf = (seed: Buffer): string => {
  const key = createPrivateKey({ key: Buffer.from(pkcs8OfSeed(seed)), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'jwk' }).x!;
};

/** The token is the seed of a key pair. It exists in this answer alone: nothing here can reveal it again. */
export const createMemberToken = async (
  context: WriteContext,
  memberId: string,
  { metadata }: { readonly metadata: Metadata },
): Promise<MemberTokenRow & { readonly token: string }> => {
  const credential = await newCredential(context, 'member_token', memberId, metadata);
  const seed = randomBytes(MEMBER_TOKEN_SEED_BYTES);
  const row = await insertRow(context, 'member_tokens', { ...credential, public_key: publicKeyOf(seed) });
  tellOfCredential(context, 'create', 'member_token', row);
  return { ...row, token: encodeMemberToken(seed) };
};
