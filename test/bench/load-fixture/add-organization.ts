import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { insertOrganization, issueAccessToken } from '@lintel/cloud-bridge/testing';

/** Adds an organization to the data of a bridge. Returns access tokens for it. */
export const addOrganization = async (dataDir: string, tokenCount: number): Promise<string[]> => {
  const services = await openBridgeServices({ dataDir });
  try {
    const organizationId = await insertOrganization(services);
    const applicationId = services.newId('oauth_application');
    const tokens: string[] = [];
    for (let index = 0; index < tokenCount; index++)
      tokens.push(await issueAccessToken(services, { organizationId, applicationId }));
    return tokens;
  } finally {
    await services.close();
  }
};
