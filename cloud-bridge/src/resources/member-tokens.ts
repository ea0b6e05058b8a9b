import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import type { Metadata } from '@lintel/wire-protocol/rest/metadata';
import type { MemberTokenRow } from '../storage/schema.ts';
import { insertRow } from '../writing/rows.ts';
import type { WriteContext } from '../writing/writer.ts';
import { newCredential, tellOfCredential } from './member-credentials.ts';

const SEED_BYTES = 32;
const PREFIX = 'lmt_';

/** RFC 8410: everything of an Ed25519 key in PKCS #8 that comes before its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The raw 32 bytes of the public key, as base64url. */
const publicKeyOf = (seed: Buffer): string => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'jwk' }).x!;
};

/** The token is the seed of a key pair. It exists in this answer alone: nothing here can reveal it again. */
export const createMemberToken = async (
  context: WriteContext,
  memberId: string,
  { metadata }: { readonly metadata: Metadata },
): Promise<MemberTokenRow & { readonly token: string }> => {
  const credential = await newCredential(context, 'member_token', memberId, metadata);
  const seed = randomBytes(SEED_BYTES);
  const row = await insertRow(context, 'member_tokens', { ...credential, public_key: publicKeyOf(seed) });
  tellOfCredential(context, 'create', 'member_token', row);
  return { ...row, token: `${PREFIX}${seed.toString('base64url')}` };
};
