import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { openServices } from '@lintel/cloud-bridge/main';
import { createDevice } from '@lintel/cloud-bridge/resources/devices';
import { keepCertificate } from '../../../cloud-bridge/src/resources/device-certificates.ts';
import { linkDevice } from '../../../cloud-bridge/src/resources/device-links.ts';
import { organizationKey } from '../../../cloud-bridge/src/resources/organization-keys.ts';
import { seed } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import type { FleetMember } from '../../../simulator/src/fleet/fleet-member.ts';
import { FleetKeyFile } from '../../../simulator/src/fleet/key-file.ts';
import { instant } from '@lintel/access-core/instant';

const GUESTS = 20;
const AT_ONCE = 1000;
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

type Services = Awaited<ReturnType<typeof openServices>>;

const plantDevices = (services: Services, organizationId: string, site_id: string, from: number, count: number) =>
  services.writer.write(organizationId, {}, async context => {
    const members: FleetMember[] = [];
    for (let index = from; index < from + count; index++) {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const hardware_id = services.newId('hardware');
      const place = { site_id: site_id as never, name: `Door ${index}`, product_id: 'virtual', hardware_id };
      const { device } = await createDevice(context, { ...place, gadgets: [door] });
      const serial = `01${randomBytes(15).toString('hex')}`;
      const expires_at = instant(Date.now() + YEAR_MS);
      const { x = '' } = publicKey.export({ format: 'jwk' });
      const issued = { serial, publicKey: x, certificate: '', expiresAt: expires_at };
      await keepCertificate(context, issued, { deviceId: device.id, hardwareId: hardware_id, claimTicketId: null });
      await linkDevice(context, device.id, serial, { id: 'k1', key: randomBytes(32).toString('base64url') });
      const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
      const device_id = device.id as FleetMember['device_id'];
      members.push({ device_id, serial, digest_key_id: 'k1', key, certificate: '', expires_at });
    }
    return members;
  });

/** A bridge's data with a hotel of so many claimed controllers, without as many walks to a door. Answers their ids. */
export const plantFleet = async (dataDir: string, keysPath: string, count: number): Promise<string[]> => {
  const services = await openServices({ dataDir });
  try {
    const file = parseSeedFile(hotel);
    if (!file.ok) throw new Error(JSON.stringify(file.problems));
    const { ids } = await seed(services, file.value);
    const organization_id = ids['hotel'] as never;
    const site_id = ids['site'] as never;
    const key = await services.writer.write(organization_id, {}, organizationKey);
    const keys = new FleetKeyFile(keysPath);
    const brokers = { mqtts: null, mqtt: null };
    keys.add({ organization_id, site_id, organization_key: key.publicKey, ca_certificate: '', brokers });
    const all: string[] = [];
    for (let from = 0; from < count; from += AT_ONCE) {
      const some = Math.min(AT_ONCE, count - from);
      for (const member of await plantDevices(services, organization_id, site_id, from, some)) {
        keys.add(member);
        all.push(member.device_id);
      }
    }
    return all;
  } finally {
    await services.close();
  }
};
