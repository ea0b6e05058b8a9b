import { randomUUID } from 'node:crypto';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { issueOAuthTokens } from '../../../cloud-bridge/src/accounts/issue-oauth-tokens.ts';
import { insertOrganization } from '../api-fixture/seed-database.ts';

/** Adds an organization to the data of a bridge. Returns access tokens for it. */
export const addOrganization = async (dataDir: string, tokenCount: number): Promise<string[]> => {
  const services = await openBridgeServices({ dataDir });
  try {
    const organizationId = await insertOrganization(services);
    const applicationId = services.newId('oauth_application');
    const tokens: string[] = [];
    for (let index = 0; index < tokenCount; index++) {
      const grant = { organizationId, applicationId, userId: null, scope: 'full_read_write', familyId: randomUUID() };
      tokens.push((await issueOAuthTokens(services.storage.writer, grant, services.clock())).access_token);
    }
    return tokens;
  } finally {
    await services.close();
  }
};
