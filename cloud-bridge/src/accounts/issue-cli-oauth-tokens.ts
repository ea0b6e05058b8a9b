import { randomUUID } from 'node:crypto';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { findOrCreateCliOAuthApplication } from './insert-oauth-application.ts';
import { issueOAuthTokens } from './issue-oauth-tokens.ts';

interface ScriptGrant {
  readonly organizationId: string;
  readonly scope: string;
  /** Default: the organization's built-in application for scripts. */
  readonly applicationId?: string | undefined;
}

/** The organization or the application does not exist. */
export class UnknownOrganizationOrApplicationError extends Error {}

/** Issues tokens without user consent, for a script with access to the data folder. Throws `UnknownOrganizationOrApplicationError`. */
export const issueScriptTokens = async (
  { storage, clock, newId }: Pick<BridgeServices, 'storage' | 'clock' | 'newId'>,
  { organizationId, scope, applicationId }: ScriptGrant,
) => {
  const db = storage.writer;
  const organization = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined)
    throw new UnknownOrganizationOrApplicationError(`Unknown organization: ${organizationId}`);
  const grantedId =
    applicationId ?? (await findOrCreateCliOAuthApplication(db, organizationId, { newId, now: clock() })).id;
  const application = await db
    .selectFrom('oauth_applications')
    .select('id')
    .where('id', '=', grantedId)
    .executeTakeFirst();
  if (application === undefined) throw new UnknownOrganizationOrApplicationError(`Unknown application: ${grantedId}`);
  await db
    .insertInto('oauth_grants')
    .values({ organization_id: organizationId, oauth_application_id: grantedId, user_id: null, created_at: clock() })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const grant = { organizationId, applicationId: grantedId, userId: null, scope, familyId: randomUUID() };
  return issueOAuthTokens(db, grant, clock());
};
