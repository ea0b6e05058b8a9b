import { scriptTokens } from '@lintel/cloud-bridge/accounts/script-tokens';
import { openServices } from '@lintel/cloud-bridge/main';
import { seed } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import { demoHotel } from './demo-hotel.ts';

export type SeedIds = Readonly<Record<string, string>>;

type Services = Awaited<ReturnType<typeof openServices>>;

const withServices = async <T>(dataDir: string, act: (services: Services) => Promise<T>): Promise<T> => {
  const services = await openServices({ dataDir });
  try {
    return await act(services);
  } finally {
    await services.close();
  }
};

/** Creates the hotel, or what is missing of it. */
export const seedHotel = (dataDir: string, now: number): Promise<SeedIds> =>
  withServices(dataDir, async services => {
    const hotel = parseSeedFile(demoHotel(now));
    if (!hotel.ok) throw new Error(JSON.stringify(hotel.problems));
    return (await seed(services, hotel.value)).ids;
  });

/** A token of the booking system, which owns the webhook. Works beside the running bridge. */
export const mintToken = (dataDir: string, ids: SeedIds): Promise<string> =>
  withServices(dataDir, async services => {
    const grant = { organizationId: ids['hotel']!, applicationId: ids['pms'], scope: 'full_read_write' };
    return (await scriptTokens(services, grant)).access_token;
  });
