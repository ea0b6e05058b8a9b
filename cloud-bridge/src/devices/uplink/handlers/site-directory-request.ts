import type { DeviceId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import type { SiteDirectoryMqttMessage } from '@lintel/wire-protocol/mqtt/messages/site-directory';
import { deriveBluetoothKey } from '../../../resources/derive-bluetooth-key.ts';
import { parseDeviceCapabilities } from '../../../resources/device-capabilities.ts';
import { getOrCreateOrganizationSigningKey } from '../../../resources/organization-signing-keys.ts';
import type { BridgeServices } from '../../../bridge-services-interface.ts';
import { systemActor } from '../../../transactions/actor.ts';
import type { DownlinkRecipient } from '../../downlink/downlink-sender.ts';
import { findClaimedDownlinkRecipient } from '../find-claimed-downlink-recipient.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

type SiteDevice = SiteDirectoryMqttMessage['devices'][number];
type SiteGadget = SiteDevice['gadgets'][number];

const MAX_DEVICES = 500;
const MAX_GADGETS = 2_000;
const MAX_BYTES = 512 * 1024;

const gadgetsAt = async ({ storage }: BridgeServices, organizationId: string, siteId: string) => {
  const rows = await storage.reader
    .selectFrom('gadgets')
    .select(['id', 'device_id', 'name', 'actions'])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_GADGETS)
    .execute();
  return Map.groupBy(rows, ({ device_id }) => device_id);
};

const otherDevicesAtSite = async (
  services: BridgeServices,
  { organizationId, deviceId }: DownlinkRecipient,
): Promise<SiteDevice[]> => {
  const activeDevices = services.storage.reader
    .selectFrom('devices')
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0);
  const own = await activeDevices.select('site_id').where('id', '=', deviceId).executeTakeFirst();
  if (own === undefined) return [];
  const rows = await activeDevices
    .select(['id', 'name', 'capabilities', 'input_rules'])
    .where('site_id', '=', own.site_id)
    .where('id', '!=', deviceId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_DEVICES)
    .execute();
  const gadgets = await gadgetsAt(services, organizationId, own.site_id);
  return rows.map(row => ({
    id: row.id as DeviceId,
    name: row.name,
    takes_rules: parseDeviceCapabilities(row).input_rules,
    input_rules: JSON.parse(row.input_rules) as InputRule[],
    gadgets: (gadgets.get(row.id) ?? []).map(({ id, name, actions }) => ({
      id: id as SiteGadget['id'],
      name,
      actions: (JSON.parse(actions) as SiteGadget['actions']).map(action => ({ id: action.id, name: action.name })),
    })),
  }));
};

/** Truncates the list to the message size limit, because names can be long. */
const truncateToLimit = (devices: SiteDevice[]): SiteDevice[] =>
  Buffer.byteLength(JSON.stringify(devices)) <= MAX_BYTES
    ? devices
    : truncateToLimit(devices.slice(0, Math.floor(devices.length / 2)));

const bluetoothKeyOf = async ({ writer }: BridgeServices, organizationId: string): Promise<string> =>
  deriveBluetoothKey(
    await writer.write(organizationId, systemActor, getOrCreateOrganizationSigningKey),
    organizationId,
  );

/** Sends the other devices of the site, which a technician can select as targets of rules, and the Bluetooth key. */
export const handleSiteDirectoryRequest = async (
  uplink: UplinkDependencies,
  device: DeviceId,
): Promise<string | null> => {
  const recipient = await findClaimedDownlinkRecipient(uplink, device);
  if (recipient === null) return 'the device is not claimed';
  const devices = truncateToLimit(await otherDevicesAtSite(uplink.services, recipient));
  const link = await uplink.services.deviceRows.links.load(device);
  // Phones trust whoever has the key.
  const key =
    link?.is_confirmed === 1 ? { bluetooth_key: await bluetoothKeyOf(uplink.services, recipient.organizationId) } : {};
  await uplink.downlink.send(recipient, 'site-directory', { v: 1, ...key, devices });
  return null;
};
