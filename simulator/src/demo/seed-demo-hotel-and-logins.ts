import { hashClientSecret } from '@lintel/cloud-bridge/accounts/client-secrets';
import { hashPassword } from '@lintel/cloud-bridge/accounts/passwords';
import { issueScriptTokens } from '@lintel/cloud-bridge/accounts/issue-cli-oauth-tokens';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { seedOrganization } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import { createDemoHotelSeed } from './demo-hotel-definition.ts';
import type { DemoLogins } from './stored-demo-state.ts';

export type DemoIds = Readonly<Record<string, string>>;

type Services = Awaited<ReturnType<typeof openBridgeServices>>;

const withBridgeServices = async <T>(dataDir: string, work: (services: Services) => Promise<T>): Promise<T> => {
  const services = await openBridgeServices({ dataDir });
  try {
    return await work(services);
  } finally {
    await services.close();
  }
};

/** Creates the missing objects of the hotel. */
export const seedDemoHotel = (dataDir: string, now: number, logins: DemoLogins): Promise<DemoIds> =>
  withBridgeServices(dataDir, async services => {
    const hotel = parseSeedFile(createDemoHotelSeed(now, logins));
    if (!hotel.ok) throw new Error(JSON.stringify(hotel.problems));
    return (await seedOrganization(services, hotel.value)).ids;
  });

/** Sets the logins of a hotel that was created with others: by an older version, or by a start that was interrupted. */
export const replaceDemoLogins = (dataDir: string, ids: DemoIds, { admin, application }: DemoLogins): Promise<void> =>
  withBridgeServices(dataDir, async ({ storage: { writer }, masterKeys }) => {
    const [userId, applicationId] = [ids['admin']!, ids['pms']!];
    const keys = masterKeys.derivedKeys(masterKeys.currentVersion);
    const client_secret_hash = hashClientSecret(keys, applicationId, application.client_secret);
    const password_hash = await hashPassword(admin.password);
    await writer.updateTable('users').set({ password_hash }).where('id', '=', userId).execute();
    await writer
      .updateTable('oauth_applications')
      .set({ client_secret_hash })
      .where('id', '=', applicationId)
      .execute();
  });

/** Creates a token of the booking system. Works while the bridge is running. */
export const createBookingSystemToken = (dataDir: string, ids: DemoIds): Promise<string> =>
  withBridgeServices(dataDir, async services => {
    const grant = { organizationId: ids['hotel']!, applicationId: ids['pms'], scope: 'full_read_write' };
    return (await issueScriptTokens(services, grant)).access_token;
  });

/** Creates a script token of the operator, for what an application may not do. Works while the bridge is running. */
export const createDemoOperatorToken = (dataDir: string, ids: DemoIds): Promise<string> =>
  withBridgeServices(dataDir, async services => {
    const grant = { organizationId: ids['hotel']!, scope: 'full_read_write' };
    return (await issueScriptTokens(services, grant)).access_token;
  });
