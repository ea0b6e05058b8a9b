import { issueScriptTokens } from '@lintel/cloud-bridge/accounts/issue-cli-oauth-tokens';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { seedOrganization } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';

type Services = Awaited<ReturnType<typeof openBridgeServices>>;

const selectOrganization = async (services: Services, requested: string | null): Promise<string> => {
  if (requested !== null) return requested;
  const rows = await services.storage.reader
    .selectFrom('organizations')
    .select('id')
    .where('is_deleted', '=', 0)
    .execute();
  const [only] = rows;
  if (rows.length > 1) {
    throw new Error(
      `The bridge has several organizations. Select one with --organization: ${rows.map(({ id }) => id).join(', ')}`,
    );
  }
  if (only !== undefined) return only.id;
  const file = parseSeedFile({ organization: { key: 'fleet', name: 'Fleet' } });
  if (!file.ok) throw new Error(file.problems[0]?.message);
  return (await seedOrganization(services, file.value)).ids['fleet']!;
};

/** Creates a token for a bridge on this machine, also while it is running. Creates an organization if there is none. */
export const createLocalBridgeToken = async (dataDir: string, organization: string | null): Promise<string> => {
  const services = await openBridgeServices({ dataDir });
  try {
    const organizationId = await selectOrganization(services, organization);
    return (await issueScriptTokens(services, { organizationId, scope: 'full_read_write' })).access_token;
  } finally {
    await services.close();
  }
};
