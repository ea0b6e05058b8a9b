import { sealSecret } from '../secrets/sealing.ts';
import { createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { computeMagicLinkBlindIndex, buildMagicLinkSealContext } from './magic-link-sealing-and-blind-index.ts';
import { deleteMemberCredential } from './member-credentials.ts';
import { buildPinSealContext } from './pin-reservations.ts';
import { deleteWebhook, buildWebhookSecretSealContext } from './webhooks.ts';

/** Deletes all PINs and magic links. Their sealed values are replaced, so that a later key rotation can read every row. */
export const deleteAllPinsAndMagicLinksAfterKeyLoss = async (context: WriteContext): Promise<void> => {
  const { db, keys, organizationId } = context;
  for (const table of ['pin_claims', 'pin_prefixes'] as const)
    await db.deleteFrom(table).where('organization_id', '=', organizationId).execute();
  const select = (table: 'member_pins' | 'member_magic_links') =>
    db.selectFrom(table).select(['id', 'member_id']).where('organization_id', '=', organizationId).execute();
  for (const { id, member_id: parentId } of await select('member_pins')) {
    await deleteMemberCredential(context, 'member_pin', { parentId, id });
    const sealed = sealSecret(keys, '', buildPinSealContext(organizationId, id));
    await db.updateTable('member_pins').set({ sealed }).where('id', '=', id).execute();
  }
  for (const { id, member_id: parentId } of await select('member_magic_links')) {
    await deleteMemberCredential(context, 'member_magic_link', { parentId, id });
    const unused = createSecretToken('');
    const sealed = sealSecret(keys, unused, buildMagicLinkSealContext(organizationId, id));
    const blind = computeMagicLinkBlindIndex(keys, unused);
    await db.updateTable('member_magic_links').set({ sealed, blind }).where('id', '=', id).execute();
  }
};

/** Hashes of client secrets are keyed. The applications need new secrets. */
export const invalidateAllClientSecretsAfterKeyLoss = async ({ db, organizationId }: WriteContext): Promise<void> => {
  await db
    .updateTable('oauth_applications')
    // Equal to no hash.
    .set({ client_secret_hash: 'sha256:' })
    .where('organization_id', '=', organizationId)
    .where('client_secret_hash', 'like', 'v%')
    .execute();
};

/** Deletes all webhooks: without their secret, deliveries cannot be signed. */
export const deleteAllWebhooksAfterKeyLoss = async (context: WriteContext): Promise<void> => {
  const { db, keys, organizationId } = context;
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'oauth_application_id'])
    .where('organization_id', '=', organizationId)
    .execute();
  for (const { id, oauth_application_id } of rows) {
    await deleteWebhook(context, oauth_application_id, id);
    const sealed_secret = sealSecret(
      keys,
      createSecretToken('whs_'),
      buildWebhookSecretSealContext(organizationId, id),
    );
    await db.updateTable('webhooks').set({ sealed_secret }).where('id', '=', id).execute();
  }
};
