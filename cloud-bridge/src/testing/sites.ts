import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { HardwareId } from '@lintel/access-core/ids';
import type { CreateDeviceRequest } from '@lintel/wire-protocol/rest/device';
import type { CreateSiteRequest } from '@lintel/wire-protocol/rest/site';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { storeDeviceCertificate } from '../resources/device-certificates.ts';
import { resetDeviceLink } from '../resources/device-links-and-digest-keys.ts';
import { createDevice, type CreatedDevice } from '../resources/devices.ts';
import { getOrCreateOrganizationSigningKey } from '../resources/organization-signing-keys.ts';
import { createSite } from '../resources/sites.ts';
import type { DeviceLinkRow } from '../storage/device-schema.ts';
import type { SiteRow } from '../storage/schema.ts';
import { systemActor } from '../transactions/actor.ts';

/* The public API cannot create sites and devices, and in the admin API a user does it, who is then in the events. */

export const insertSite = (
  { writer }: Pick<BridgeServices, 'writer'>,
  organizationId: string,
  given: Partial<CreateSiteRequest> = {},
): Promise<SiteRow> =>
  writer.write(organizationId, systemActor, context =>
    createSite(context, { name: 'Main', timezone: 'Europe/Madrid', ...given }),
  );

export const insertDevice = (
  { writer }: Pick<BridgeServices, 'writer'>,
  organizationId: string,
  given: CreateDeviceRequest,
): Promise<CreatedDevice> => writer.write(organizationId, systemActor, context => createDevice(context, given));

/** The device counts as claimed. */
export const insertDeviceLink = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  given: Pick<DeviceLinkRow, 'device_id' | 'organization_id'> & Partial<DeviceLinkRow>,
): Promise<DeviceLinkRow> => {
  const row: DeviceLinkRow = {
    digest_key_id: 'key',
    sealed_digest_key: '',
    serial: given.device_id,
    session_nonce: null,
    seen_at: null,
    offline_since: null,
    firmware: null,
    event_sequence: 0,
    received_events: '{}',
    hello_counter: 0,
    awaits_revocations: 0,
    is_confirmed: 1,
    claim_ticket_id: null,
    stolen_at: null,
    ...given,
  };
  await storage.writer.insertInto('device_links').values(row).execute();
  return row;
};

/** A controller that has claimed itself with the key. */
export interface ClaimedDevice {
  readonly deviceId: string;
  readonly hardwareId: HardwareId;
  readonly serial: string;
  readonly digestKeyId: string;
  /** Private key as PEM. */
  readonly key: string;
}

export interface ClaimedDevices {
  readonly count: number;
  readonly siteId: string;
  readonly gadgets: CreateDeviceRequest['gadgets'];
  readonly certificateExpiresAt: number;
}

/** Virtual devices with certificates of no authority. They log in with their keys, at the listener without TLS. */
export const insertClaimedDevices = (
  { writer, newId }: Pick<BridgeServices, 'writer' | 'newId'>,
  organizationId: string,
  { count, siteId, gadgets, certificateExpiresAt }: ClaimedDevices,
): Promise<ClaimedDevice[]> =>
  writer.write(organizationId, systemActor, async context => {
    const claimed: ClaimedDevice[] = [];
    for (let index = 0; index < count; index++) {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const hardwareId = newId('hardware');
      const place = { site_id: siteId as never, name: `Door ${index}`, product_id: 'virtual', hardware_id: hardwareId };
      const { device } = await createDevice(context, { ...place, gadgets });
      const serial = `01${randomBytes(15).toString('hex')}`;
      const { x = '' } = publicKey.export({ format: 'jwk' });
      const issued = { serial, publicKey: x, certificate: '', expiresAt: certificateExpiresAt };
      await storeDeviceCertificate(context, issued, { deviceId: device.id, hardwareId, claimTicketId: null });
      const digestKeyId = 'k1';
      const digestKey = { id: digestKeyId, key: randomBytes(32).toString('base64url') };
      await resetDeviceLink(context, device.id, { serial, digestKey, isConfirmed: true, claimTicketId: null });
      const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
      claimed.push({ deviceId: device.id, hardwareId, serial, digestKeyId, key });
    }
    return claimed;
  });

/** The public key with which controllers verify messages of the organization. */
export const getOrganizationPublicKey = async (
  { writer }: Pick<BridgeServices, 'writer'>,
  organizationId: string,
): Promise<string> => (await writer.write(organizationId, systemActor, getOrCreateOrganizationSigningKey)).publicKey;

/** The status that the bridge stores when the device connects, through a gateway or directly, and when it disconnects. */
export const setDeviceConnection = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  deviceId: string,
  { gatewayId, isOnline }: { readonly gatewayId: string | null; readonly isOnline: boolean },
): Promise<void> => {
  const byId = storage.writer.selectFrom('devices').select('status').where('id', '=', deviceId);
  const status = { ...(JSON.parse((await byId.executeTakeFirstOrThrow()).status) as object), online: isOnline };
  await storage.writer
    .updateTable('devices')
    .set({ gateway_id: gatewayId, status: JSON.stringify(status) })
    .where('id', '=', deviceId)
    .execute();
};

/** Hardware that the organization has claimed and that no device uses. Returns its id. */
export const insertClaimedHardware = async (
  { storage, newId }: Pick<BridgeServices, 'storage' | 'newId'>,
  organizationId: string,
): Promise<string> => {
  const hardware_id = newId('hardware');
  const row = { organization_id: organizationId, hardware_id, serial: hardware_id, device_id: 'dev_gone' };
  const times = { created_at: 0, expires_at: 0, revoked_at: 0 };
  await storage.writer
    .insertInto('device_certificates')
    .values({ ...row, ...times, public_key: '', certificate: '', claim_ticket_id: null, down_counter: 0 })
    .execute();
  return hardware_id;
};
