import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { isCanonicalPublicKey } from '@lintel/crypto/public-key';
import {
  encodeMemberTokenSeed,
  MEMBER_TOKEN_SEED_BYTES,
  encodeEd25519Pkcs8,
} from '@lintel/wire-protocol/phone/member-token-seed';
import type { Metadata } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { MemberTokenRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { createCredentialColumns, recordCredentialEvent } from './member-credentials.ts';

/** Raw public key (32 bytes) as base64url. */
const publicKeyOf = (seed: Buffer): string => {
  const key = createPrivateKey({ key: Buffer.from(encodeEd25519Pkcs8(seed)), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'jwk' }).x!;
};

/** Stores the public key of a phone, in base64url. `enrolledWith`: the credential that a guest signed in with. */
export const storeMemberTokenPublicKey = async (
  context: WriteContext,
  memberId: string,
  publicKey: string,
  { metadata, enrolledWith }: { readonly metadata: Metadata; readonly enrolledWith: string | null },
): Promise<MemberTokenRow> => {
  if (!isCanonicalPublicKey('Ed25519', publicKey))
    throw createInvalidFieldError('public_key', 'must be a usable Ed25519 public key');
  const credential = await createCredentialColumns(context, 'member_token', memberId, metadata);
  const row = await insertRow(context, 'member_tokens', {
    ...credential,
    public_key: publicKey,
    enrolled_with: enrolledWith,
  });
  recordCredentialEvent(context, 'create', 'member_token', row);
  return row;
};

/** The token is the seed of a key pair. Only this response contains it; the bridge stores the public key. */
export const createMemberToken = async (
  context: WriteContext,
  memberId: string,
  { metadata }: { readonly metadata: Metadata },
): Promise<MemberTokenRow & { readonly token: string }> => {
  const seed = randomBytes(MEMBER_TOKEN_SEED_BYTES);
  const row = await storeMemberTokenPublicKey(context, memberId, publicKeyOf(seed), {
    metadata,
    enrolledWith: null,
  });
  return { ...row, token: encodeMemberTokenSeed(seed) };
};
