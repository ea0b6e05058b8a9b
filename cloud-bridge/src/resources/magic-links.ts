import type { Metadata } from '@lintel/wire-protocol/rest/metadata';
import { seal, unseal } from '../secrets/sealing.ts';
import { newToken } from '../secrets/token-hash.ts';
import type { MemberMagicLinkRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { blindMagicLink, magicLinkAddress, magicLinkContext } from './magic-link-tokens.ts';
import {
  type CredentialAddress,
  newCredential,
  requireLivingCredential,
  tellOfCredential,
} from './member-credentials.ts';

type RevealedMagicLink = MemberMagicLinkRow & { readonly link: string };

export const createMagicLink = async (
  context: WriteContext,
  memberId: string,
  { metadata }: { readonly metadata: Metadata },
  publicUrl: string,
): Promise<RevealedMagicLink> => {
  const { keys, organizationId } = context;
  const credential = await newCredential(context, 'member_magic_link', memberId, metadata);
  const token = newToken('');
  const row = await insertRow(context, 'member_magic_links', {
    ...credential,
    sealed: seal(keys, token, magicLinkContext(organizationId, credential.id)),
    blind: blindMagicLink(keys, token),
  });
  tellOfCredential(context, 'create', 'member_magic_link', row);
  return { ...row, link: magicLinkAddress(publicUrl, token) };
};

export const revealMagicLink = async (
  context: WriteContext,
  address: CredentialAddress,
  publicUrl: string,
): Promise<RevealedMagicLink> => {
  const row = await requireLivingCredential(context, 'member_magic_link', address);
  const token = unseal(context.masterKeys, row.sealed, magicLinkContext(row.organization_id, row.id));
  tellOfCredential(context, 'reveal', 'member_magic_link', row);
  return { ...row, link: magicLinkAddress(publicUrl, token) };
};
