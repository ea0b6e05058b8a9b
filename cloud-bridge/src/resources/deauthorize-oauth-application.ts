import { deleteWebhook } from './webhooks.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { revokeOAuthApplicationTokens } from '../accounts/oauth-token-store.ts';

/**
 * Revokes the tokens of the application in the organization and deletes its webhooks there. The caller must clear the
 * cache of the `AccessTokenAuthenticator` after the commit, so that this bridge rejects the tokens at once.
 */
export const deauthorizeOAuthApplication = async (context: WriteContext, applicationId: string): Promise<void> => {
  const { db, organizationId } = context;
  const { numDeletedRows } = await db
    .deleteFrom('oauth_grants')
    .where('organization_id', '=', organizationId)
    .where('oauth_application_id', '=', applicationId)
    .executeTakeFirst();
  await revokeOAuthApplicationTokens(db, organizationId, applicationId);
  const webhooks = await db
    .selectFrom('webhooks')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('oauth_application_id', '=', applicationId)
    .where('is_deleted', '=', 0)
    .execute();
  for (const { id } of webhooks) await deleteWebhook(context, applicationId, id);
  if (numDeletedRows > 0n) {
    context.log({ verb: 'edit', object: { type: 'organization', organization_id: organizationId } });
  }
};
