import { scriptTokens } from '@lintel/cloud-bridge/accounts/script-tokens';
import { openServices } from '@lintel/cloud-bridge/main';
import { seed } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';

type Services = Awaited<ReturnType<typeof openServices>>;

const chosenOrganization = async (services: Services, wanted: string | null): Promise<string> => {
  if (wanted !== null) return wanted;
  const rows = await services.storage.reader
    .selectFrom('organizations')
    .select('id')
    .where('is_deleted', '=', 0)
    .execute();
  const [only] = rows;
  if (rows.length > 1) {
    throw new Error(
      `there are several organizations, say with --organization which: ${rows.map(({ id }) => id).join(', ')}`,
    );
  }
  if (only !== undefined) return only.id;
  const file = parseSeedFile({ organization: { key: 'fleet', name: 'Fleet' } });
  if (!file.ok) throw new Error(file.problems[0]?.message);
  return (await seed(services, file.value)).ids['fleet']!;
};

/** A token for a bridge on this machine, beside the running one. Its only organization, or a new one where there is none. */
export const localToken = async (dataDir: string, organization: string | null): Promise<string> => {
  const services = await openServices({ dataDir });
  try {
    const organizationId = await chosenOrganization(services, organization);
    return (await scriptTokens(services, { organizationId, scope: 'full_read_write' })).access_token;
  } finally {
    await services.close();
  }
};
