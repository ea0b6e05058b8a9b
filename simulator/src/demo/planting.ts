import { scriptTokens } from '@lintel/cloud-bridge/accounts/script-tokens';
import { openServices } from '@lintel/cloud-bridge/main';
import { seed } from '@lintel/cloud-bridge/seeding/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seeding/seed-file';
import { demoHotel } from './demo-hotel.ts';

type SeedIds = Readonly<Record<string, string>>;

export interface Planted {
  readonly ids: SeedIds;
  /** Of the booking system, which owns the webhook. */
  readonly token: string;
}

type Services = Awaited<ReturnType<typeof openServices>>;

const mint = async (services: Services, ids: SeedIds): Promise<string> => {
  const grant = { organizationId: ids['hotel']!, applicationId: ids['pms'], scope: 'full_read_write' };
  return (await scriptTokens(services, grant)).access_token;
};

const withServices = async <T>(dataDir: string, act: (services: Services) => Promise<T>): Promise<T> => {
  const services = await openServices({ dataDir });
  try {
    return await act(services);
  } finally {
    await services.close();
  }
};

/** Kept from start to start: the same hotel again makes nothing twice. */
export const plant = (dataDir: string, now: number): Promise<Planted> =>
  withServices(dataDir, async services => {
    const hotel = parseSeedFile(demoHotel(now));
    if (!hotel.ok) throw new Error(JSON.stringify(hotel.problems));
    const { ids } = await seed(services, hotel.value);
    return { ids, token: await mint(services, ids) };
  });

/** Another token when the last one has run out, beside the running bridge. */
export const mintToken = (dataDir: string, ids: SeedIds): Promise<string> =>
  withServices(dataDir, services => mint(services, ids));
