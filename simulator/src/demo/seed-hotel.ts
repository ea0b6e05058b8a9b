import { issueScriptTokens } from '@lintel/cloud-bridge/accounts/script-tokens';
import { openBridgeServices } from '@lintel/cloud-bridge/main';
import { seedOrganization } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import { demoHotel } from './demo-hotel.ts';

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
export const seedHotel = (dataDir: string, now: number): Promise<DemoIds> =>
  withBridgeServices(dataDir, async services => {
    const hotel = parseSeedFile(demoHotel(now));
    if (!hotel.ok) throw new Error(JSON.stringify(hotel.problems));
    return (await seedOrganization(services, hotel.value)).ids;
  });

/** Creates a token of the booking system. Works while the bridge is running. */
export const mintToken = (dataDir: string, ids: DemoIds): Promise<string> =>
  withBridgeServices(dataDir, async services => {
    const grant = { organizationId: ids['hotel']!, applicationId: ids['pms'], scope: 'full_read_write' };
    return (await issueScriptTokens(services, grant)).access_token;
  });
