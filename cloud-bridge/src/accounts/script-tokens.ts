import { randomUUID } from 'node:crypto';
import type { Services } from '../services.ts';
import { cliApplication } from './applications.ts';
import { issueTokens } from './tokens.ts';

interface ScriptGrant {
  readonly organizationId: string;
  readonly scope: string;
  /** Without it the organization's built-in one. */
  readonly applicationId?: string | undefined;
}

/** Names what is not there. */
export class NoSuchGrant extends Error {}

/** Tokens for a script that has the data folder, in place of somebody's consent. Throws a NoSuchGrant. */
export const scriptTokens = async (
  { storage, clock, newId }: Pick<Services, 'storage' | 'clock' | 'newId'>,
  { organizationId, scope, applicationId }: ScriptGrant,
) => {
  const db = storage.writer;
  const organization = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization === undefined) throw new NoSuchGrant(`there is no organization ${organizationId}`);
  const wanted = applicationId ?? (await cliApplication(db, organizationId, { newId, now: clock() })).id;
  const application = await db
    .selectFrom('oauth_applications')
    .select('id')
    .where('id', '=', wanted)
    .executeTakeFirst();
  if (application === undefined) throw new NoSuchGrant(`there is no application ${wanted}`);
  await db
    .insertInto('oauth_grants')
    .values({ organization_id: organizationId, oauth_application_id: wanted, user_id: null, created_at: clock() })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const grant = { organizationId, applicationId: wanted, userId: null, scope, familyId: randomUUID() };
  return issueTokens(db, grant, clock());
};
