import { instant } from '@lintel/access-core/instant';
import { createBridge } from '@lintel/cloud-bridge/main';
import { computeStartOfUtcMonth, insertOrganization } from '@lintel/cloud-bridge/testing';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { seedMembers, seedSearchTerms } from '../api-fixture/seed-database.ts';
import { ACTIVITY_MONTHS, seedActivity } from './seed-activity.ts';

/** An organization, and the `Cookie` header of its owner. */
export interface OrganizationLogin {
  readonly organizationId: string;
  readonly cookie: string;
}

export interface PreparedOrganizations {
  readonly full: OrganizationLogin;
  readonly empty: OrganizationLogin;
}

/**
 * Fills a database with an organization of 100,000 members and 10,000,000 events, and an empty one. The database is created at
 * the time of the first event, so that PostgreSQL has the partitions of a bridge that has run since then.
 */
export const prepareOrganizations = async (
  dataDir: string,
  database: string | undefined,
): Promise<PreparedOrganizations> => {
  const start = instant(computeStartOfUtcMonth(Date.now(), -ACTIVITY_MONTHS));
  const bridge = await createBridge({ dataDir, database, logger: false, clock: () => start });
  const { app, services } = bridge;
  try {
    const organizationId = await seedMembers(services);
    await seedActivity(services, organizationId);
    await seedSearchTerms(services, organizationId);
    const present = () => instant(Date.now());
    const loginTo = async (id: string): Promise<OrganizationLogin> => {
      const { headers } = await openAdminSession({ app, services: { ...services, clock: present } }, id, 'owner');
      return { organizationId: id, cookie: headers['cookie']! };
    };
    return { full: await loginTo(organizationId), empty: await loginTo(await insertOrganization(services)) };
  } finally {
    await bridge.close();
  }
};
