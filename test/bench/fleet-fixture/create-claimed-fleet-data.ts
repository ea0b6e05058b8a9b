import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { getOrganizationPublicKey, insertClaimedDevices } from '@lintel/cloud-bridge/testing';
import { seedOrganization } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import { type FleetDevice, FleetKeyFile } from '@lintel/simulator/testing';
import { instant } from '@lintel/access-core/instant';

const GUESTS = 20;
const BATCH_SIZE = 1000;
const YEAR_MS = 365 * 86_400_000;

const hotel = {
  organization: { key: 'hotel', name: 'Hotel' },
  sites: [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }],
  member_groups: [{ key: 'guests', name: 'Guests', permissions: [{}] }],
  members: Array.from({ length: GUESTS }, (_, index) => ({
    key: `guest-${index}`,
    name: `Guest ${index}`,
    groups: ['guests'],
    pins: [String(31_000_000 + index * 7)],
  })),
};

const door = {
  name: 'Door',
  actions: [{ id: 'open', name: 'Open' }],
  metadata: {},
  states: [],
  signals: [],
  tag_ids: [],
};

/** Creates the data of a bridge with claimed controllers. Returns their ids. */
export const createFleetData = async (dataDir: string, keysPath: string, count: number): Promise<string[]> => {
  const services = await openBridgeServices({ dataDir });
  try {
    await services.authority();
    const file = parseSeedFile(hotel);
    if (!file.ok) throw new Error(JSON.stringify(file.problems));
    const { ids } = await seedOrganization(services, file.value);
    const organization_id = ids['hotel'] as never;
    const site_id = ids['site'] as never;
    const organization_key = await getOrganizationPublicKey(services, organization_id);
    const keys = new FleetKeyFile(keysPath);
    const brokers = { mqtts: null, mqtt: null };
    keys.add({ organization_id, site_id, organization_key, ca_certificate: '', brokers });
    const deviceIds: string[] = [];
    for (let from = 0; from < count; from += BATCH_SIZE) {
      const expires_at = instant(Date.now() + YEAR_MS);
      const claimed = await insertClaimedDevices(services, organization_id, {
        count: Math.min(BATCH_SIZE, count - from),
        siteId: site_id,
        gadgets: [door],
        certificateExpiresAt: expires_at,
      });
      for (const { deviceId, serial, digestKeyId, key } of claimed) {
        const device_id = deviceId as FleetDevice['device_id'];
        keys.add({ device_id, serial, digest_key_id: digestKeyId, key, certificate: '', expires_at });
        deviceIds.push(deviceId);
      }
    }
    return deviceIds;
  } finally {
    await services.close();
  }
};
