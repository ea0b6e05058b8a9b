import type { DeviceId } from '@lintel/access-core/ids';
import type { SiteDirectoryMessage } from '@lintel/wire-protocol/mqtt/messages/site-directory';
import { capabilitiesOf } from '../../resources/device-constraints.ts';
import type { Services } from '../../services.ts';
import type { Recipient } from '../downlink/downlink.ts';
import { claimedLink } from './claimed-link.ts';
import type { UplinkDesk } from './uplink-desk.ts';

type SiteDevice = SiteDirectoryMessage['devices'][number];
type SiteGadget = SiteDevice['gadgets'][number];

const MOST_DEVICES = 500;
const MOST_GADGETS = 2_000;
const MOST_BYTES = 512 * 1024;

const gadgetsAt = async ({ storage }: Services, organizationId: string, siteId: string) => {
  const rows = await storage.reader
    .selectFrom('gadgets')
    .select(['id', 'device_id', 'name', 'actions'])
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_GADGETS)
    .execute();
  return Map.groupBy(rows, ({ device_id }) => device_id);
};

const neighboursOf = async (services: Services, { organizationId, deviceId }: Recipient): Promise<SiteDevice[]> => {
  const living = services.storage.reader
    .selectFrom('devices')
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0);
  const own = await living.select('site_id').where('id', '=', deviceId).executeTakeFirst();
  if (own === undefined) return [];
  const rows = await living
    .select(['id', 'name', 'capabilities'])
    .where('site_id', '=', own.site_id)
    .where('id', '!=', deviceId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_DEVICES)
    .execute();
  const gadgets = await gadgetsAt(services, organizationId, own.site_id);
  return rows.map(row => ({
    id: row.id as DeviceId,
    name: row.name,
    takes_rules: capabilitiesOf(row).input_rules,
    gadgets: (gadgets.get(row.id) ?? []).map(({ id, name, actions }) => ({
      id: id as SiteGadget['id'],
      name,
      actions: (JSON.parse(actions) as SiteGadget['actions']).map(action => ({ id: action.id, name: action.name })),
    })),
  }));
};

/** Names can be long: what does not go through a broker in one message is not told. */
const fitting = (devices: SiteDevice[]): SiteDevice[] =>
  Buffer.byteLength(JSON.stringify(devices)) <= MOST_BYTES
    ? devices
    : fitting(devices.slice(0, Math.floor(devices.length / 2)));

/** A technician is at a controller: what else there is at its site, to make rules for. */
export const handleSiteRequest = async (desk: UplinkDesk, device: DeviceId): Promise<string | null> => {
  const link = await claimedLink(desk, device);
  if (link === null) return 'the device is not claimed';
  const devices = fitting(await neighboursOf(desk.services, link));
  await desk.downlink.send(link, 'site-directory', { v: 1, devices });
  return null;
};
