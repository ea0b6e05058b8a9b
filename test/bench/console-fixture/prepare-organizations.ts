import { createBridge } from '@lintel/cloud-bridge/main';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { insertOrganization, seedDatabase, seedSearchTerms } from '../api-fixture/seed-database.ts';

/** An organization, and the `Cookie` header of its owner. */
export interface OrganizationLogin {
  readonly organizationId: string;
  readonly cookie: string;
}

export interface PreparedOrganizations {
  readonly full: OrganizationLogin;
  readonly empty: OrganizationLogin;
}

/** Fills a database with an organization of 100,000 members and 1,000,000 events, and an empty one. */
export const prepareOrganizations = async (
  dataDir: string,
  database: string | undefined,
): Promise<PreparedOrganizations> => {
  const bridge = await createBridge({ dataDir, database, logger: false });
  const { app, services } = bridge;
  try {
    const { organizationId } = await seedDatabase(services);
    await seedSearchTerms(services, organizationId);
    const loginTo = async (id: string): Promise<OrganizationLogin> => {
      const { headers } = await openAdminSession({ app, services, now: services.clock() }, id, 'owner');
      return { organizationId: id, cookie: headers['cookie']! };
    };
    return { full: await loginTo(organizationId), empty: await loginTo(await insertOrganization(services)) };
  } finally {
    await bridge.close();
  }
};
