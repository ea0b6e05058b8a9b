import { formatMagicLinkUrl } from '@lintel/wire-protocol/guest/magic-link-url';
import type { Metadata } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { sealSecret, unsealSecret } from '../secrets/sealing.ts';
import { createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { MemberMagicLinkRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { computeMagicLinkBlindIndex, buildMagicLinkSealContext } from './magic-link-sealing-and-blind-index.ts';
import {
  type CredentialEventDetails,
  type MemberCredentialRef,
  createCredentialColumns,
  requireActiveMemberCredential,
  recordCredentialEvent,
} from './member-credentials.ts';

type RevealedMagicLink = MemberMagicLinkRow & { readonly link: string };

export const createMagicLink = async (
  context: WriteContext,
  memberId: string,
  { metadata }: { readonly metadata: Metadata },
  publicUrl: string,
): Promise<RevealedMagicLink> => {
  const { keys, organizationId } = context;
  const credential = await createCredentialColumns(context, 'member_magic_link', memberId, metadata);
  const token = createSecretToken('');
  const row = await insertRow(context, 'member_magic_links', {
    ...credential,
    sealed: sealSecret(keys, token, buildMagicLinkSealContext(organizationId, credential.id)),
    blind: computeMagicLinkBlindIndex(keys, token),
  });
  recordCredentialEvent(context, 'create', 'member_magic_link', row);
  return { ...row, link: formatMagicLinkUrl(publicUrl, token) };
};

export const revealMagicLink = async (
  context: WriteContext,
  address: MemberCredentialRef,
  publicUrl: string,
  details: CredentialEventDetails = {},
): Promise<RevealedMagicLink> => {
  const row = await requireActiveMemberCredential(context, 'member_magic_link', address);
  const token = unsealSecret(context.masterKeys, row.sealed, buildMagicLinkSealContext(row.organization_id, row.id));
  recordCredentialEvent(context, 'reveal', 'member_magic_link', row, details);
  return { ...row, link: formatMagicLinkUrl(publicUrl, token) };
};
