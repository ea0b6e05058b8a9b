import { instant } from '@lintel/access-core/instant';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { PinReachAnswer } from '@lintel/wire-protocol/admin/pin-reach';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { Services } from '../services.ts';
import type { MemberPinRow } from '../storage/schema.ts';
import { loadMemberRecords, type MemberRecord } from './slice/member-records.ts';
import { isHeld, mayHaveHeld } from './slice/member-text.ts';
import { relevantGroups } from './slice/relevant-groups.ts';
import { readScope } from './slice/slice-scope.ts';
import { loadStructure, type Structure } from './slice/structure.ts';

type Door = PinReachAnswer['doors'][number];

/** The gadgets that a device opens, its own and those that its rules lead to. */
const targetsOf = ({ devices, gadgets }: Structure, deviceId: string): string[] => [
  ...gadgets
    .values()
    .filter(({ device_id }) => device_id === deviceId)
    .map(({ id }) => id),
  ...(devices.get(deviceId)?.input_rules ?? []).map(({ gadget_id }) => gadget_id),
];

const claimedDevices = ({ storage }: Services, organizationId: string) =>
  storage.reader
    .selectFrom('device_links as l')
    .innerJoin('devices as d', 'd.id', 'l.device_id')
    .leftJoin('device_sync as s', 's.device_id', 'l.device_id')
    .select(['d.id', 'd.site_id', 'd.name', 'd.status', 's.revision', 's.scope', 's.served_at'])
    .where('l.organization_id', '=', organizationId)
    .where('d.is_deleted', '=', 0)
    .orderBy('d.created_at')
    .orderBy('d.id')
    .execute();

/** The revision from which on the member, with all that hangs on it, is as it is now. */
const lastChange = async ({ storage }: Services, organizationId: string, memberId: string): Promise<number> => {
  const row = await storage.reader
    .selectFrom('access_changes')
    .select('revision')
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', 'member')
    .where('object_id', '=', memberId)
    .orderBy('revision', 'desc')
    .executeTakeFirst();
  return row?.revision ?? 0;
};

interface Holding {
  readonly member: MemberRecord;
  /** Whether the PIN should be at doors at all. */
  readonly isLiving: boolean;
  readonly since: number;
}

const statusAt = (
  { member, isLiving, since }: Holding,
  wanted: ReadonlySet<string>,
  revision: number | null,
  scope: string | null,
): Door['status'] | null => {
  const served = scope === null ? new Set<string>() : readScope(scope).groups;
  const isNew = (revision ?? -1) >= since;
  if (isLiving && isHeld(member, wanted)) return isNew && isHeld(member, served) ? 'served' : 'pending';
  return !isNew && mayHaveHeld(member, served) ? 'leaving' : null;
};

/** Which controllers have the PIN, from what each has said of itself. */
export const pinReach = async (
  services: Services,
  pin: MemberPinRow,
  isVisible: (siteId: string) => boolean,
): Promise<PinReachAnswer> => {
  const { organization_id: organizationId, member_id } = pin;
  const { reader: db, engine } = services.storage;
  const source = { db, engine, masterKeys: services.masterKeys, organizationId };
  const member = (await loadMemberRecords(source, [member_id])).get(member_id);
  const structure = await loadStructure(db, organizationId);
  const devices = member === undefined ? [] : await claimedDevices(services, organizationId);
  const since = await lastChange(services, organizationId, member_id);
  const doors: Door[] = [];
  for (const { id, site_id, name, status, revision, scope, served_at } of devices) {
    const holding = { member: member!, isLiving: pin.is_deleted === 0, since };
    const state = statusAt(holding, relevantGroups(structure, targetsOf(structure, id)), revision, scope);
    if (state === null || !isVisible(site_id)) continue;
    doors.push({
      device_id: id as Door['device_id'],
      site_id: site_id as Door['site_id'],
      name,
      online: (JSON.parse(status) as DeviceStatus).online,
      status: state,
      served_at: served_at === null ? null : dateTimeOf(instant(served_at)),
    });
  }
  return {
    member_pin_id: pin.id as PinReachAnswer['member_pin_id'],
    member_id: member_id as PinReachAnswer['member_id'],
    doors,
  };
};
