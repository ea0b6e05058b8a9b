import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { openVerifiedAuthority } from '../../../cloud-bridge/src/key-material/open-verified-certificate-authority.ts';
import { createDevice } from '@lintel/cloud-bridge/resources/devices';
import { storeDeviceCertificate } from '../../../cloud-bridge/src/resources/device-certificates.ts';
import { resetDeviceLink } from '../../../cloud-bridge/src/resources/device-links-and-digest-keys.ts';
import { getOrCreateOrganizationSigningKey } from '../../../cloud-bridge/src/resources/organization-signing-keys.ts';
import { seedOrganization } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import type { FleetDevice } from '../../../simulator/src/fleet/fleet-device-identity.ts';
import { FleetKeyFile } from '../../../simulator/src/fleet/fleet-key-file.ts';
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

type Services = Awaited<ReturnType<typeof openBridgeServices>>;

const createDevices = (services: Services, organizationId: string, site_id: string, from: number, count: number) =>
  services.writer.write(organizationId, {}, async context => {
    const members: FleetDevice[] = [];
    for (let index = from; index < from + count; index++) {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const hardware_id = services.newId('hardware');
      const place = { site_id: site_id as never, name: `Door ${index}`, product_id: 'virtual', hardware_id };
      const { device } = await createDevice(context, { ...place, gadgets: [door] });
      const serial = `01${randomBytes(15).toString('hex')}`;
      const expires_at = instant(Date.now() + YEAR_MS);
      const { x = '' } = publicKey.export({ format: 'jwk' });
      const issued = { serial, publicKey: x, certificate: '', expiresAt: expires_at };
      await storeDeviceCertificate(context, issued, {
        deviceId: device.id,
        hardwareId: hardware_id,
        claimTicketId: null,
      });
      await resetDeviceLink(context, device.id, serial, { id: 'k1', key: randomBytes(32).toString('base64url') });
      const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
      const device_id = device.id as FleetDevice['device_id'];
      members.push({ device_id, serial, digest_key_id: 'k1', key, certificate: '', expires_at });
    }
    return members;
  });

/** Creates the data of a bridge with claimed controllers. Returns their ids. */
export const createFleetData = async (dataDir: string, keysPath: string, count: number): Promise<string[]> => {
  const services = await openBridgeServices({ dataDir });
  try {
    await openVerifiedAuthority(services.storage.writer, dataDir, Date.now());
    const file = parseSeedFile(hotel);
    if (!file.ok) throw new Error(JSON.stringify(file.problems));
    const { ids } = await seedOrganization(services, file.value);
    const organization_id = ids['hotel'] as never;
    const site_id = ids['site'] as never;
    const key = await services.writer.write(organization_id, {}, getOrCreateOrganizationSigningKey);
    const keys = new FleetKeyFile(keysPath);
    const brokers = { mqtts: null, mqtt: null };
    keys.add({ organization_id, site_id, organization_key: key.publicKey, ca_certificate: '', brokers });
    const deviceIds: string[] = [];
    for (let from = 0; from < count; from += BATCH_SIZE) {
      const size = Math.min(BATCH_SIZE, count - from);
      for (const member of await createDevices(services, organization_id, site_id, from, size)) {
        keys.add(member);
        deviceIds.push(member.device_id);
      }
    }
    return deviceIds;
  } finally {
    await services.close();
  }
};
