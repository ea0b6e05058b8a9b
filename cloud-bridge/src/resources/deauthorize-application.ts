import { deleteWebhook } from './webhooks.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { revokeApplication } from '../accounts/token-families.ts';

/**
 * The application may no longer act in the organization: its tokens end and its webhooks there are deleted. The caller
 * lets the `Authenticator` forget after the commit, so that this bridge refuses the tokens at once.
 */
export const deauthorizeApplication = async (context: WriteContext, applicationId: string): Promise<void> => {
  const { db, organizationId } = context;
  const { numDeletedRows } = await db
    .deleteFrom('oauth_grants')
    .where('organization_id', '=', organizationId)
    .where('oauth_application_id', '=', applicationId)
    .executeTakeFirst();
  await revokeApplication(db, organizationId, applicationId);
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
