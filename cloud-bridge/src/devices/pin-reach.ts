import { instant } from '@lintel/access-core/instant';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { PinReachResponse } from '@lintel/wire-protocol/admin/pin-reach';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { BridgeServices } from '../services.ts';
import type { MemberPinRow } from '../storage/schema.ts';
import { loadMemberRecords, type MemberRecord } from './access-snapshot/member-records.ts';
import { isMemberInGroups, wasMemberEverInGroups } from './access-snapshot/member-entry-json.ts';
import { findRelevantGroups } from './access-snapshot/relevant-groups.ts';
import { parseSnapshotScope } from './access-snapshot/snapshot-scope.ts';
import { loadOrganizationStructure, type OrganizationStructure } from './access-snapshot/organization-structure.ts';

type Door = PinReachResponse['doors'][number];

/** The gadgets that a device opens: its own and the targets of its input rules. */
const targetsOf = ({ devices, gadgets }: OrganizationStructure, deviceId: string): string[] => [
  ...gadgets
    .values()
    .filter(({ device_id }) => device_id === deviceId)
    .map(({ id }) => id),
  ...(devices.get(deviceId)?.input_rules ?? []).map(({ gadget_id }) => gadget_id),
];

const claimedDevices = ({ storage }: BridgeServices, organizationId: string) =>
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

/** The revision of the last change to the member or its credentials and groups. */
const lastMemberRevision = async (
  { storage }: BridgeServices,
  organizationId: string,
  memberId: string,
): Promise<number> => {
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

interface PinState {
  readonly member: MemberRecord;
  readonly isActive: boolean;
  readonly changedRevision: number;
}

const pinStatusAt = (
  { member, isActive, changedRevision }: PinState,
  requiredGroups: ReadonlySet<string>,
  revision: number | null,
  scope: string | null,
): Door['status'] | null => {
  const servedGroups = scope === null ? new Set<string>() : parseSnapshotScope(scope).groups;
  const isUpToDate = (revision ?? -1) >= changedRevision;
  if (isActive && isMemberInGroups(member, requiredGroups))
    return isUpToDate && isMemberInGroups(member, servedGroups) ? 'served' : 'pending';
  return !isUpToDate && wasMemberEverInGroups(member, servedGroups) ? 'leaving' : null;
};

/** Determines which controllers have the PIN, from the revision that each controller reports to serve. */
export const loadPinReach = async (
  services: BridgeServices,
  pin: MemberPinRow,
  isVisible: (siteId: string) => boolean,
): Promise<PinReachResponse> => {
  const { organization_id: organizationId, member_id } = pin;
  const { reader: db, engine } = services.storage;
  const source = { db, engine, masterKeys: services.masterKeys, organizationId, onUnreadable: () => undefined };
  const member = (await loadMemberRecords(source, [member_id])).get(member_id);
  const structure = await loadOrganizationStructure(db, organizationId);
  const devices = member === undefined ? [] : await claimedDevices(services, organizationId);
  const changedRevision = await lastMemberRevision(services, organizationId, member_id);
  const doors: Door[] = [];
  for (const { id, site_id, name, status, revision, scope, served_at } of devices) {
    const pinState = { member: member!, isActive: pin.is_deleted === 0, changedRevision };
    const state = pinStatusAt(pinState, findRelevantGroups(structure, targetsOf(structure, id)), revision, scope);
    if (state === null || !isVisible(site_id)) continue;
    doors.push({
      device_id: id as Door['device_id'],
      site_id: site_id as Door['site_id'],
      name,
      online: (JSON.parse(status) as DeviceStatus).online,
      status: state,
      served_at: served_at === null ? null : toDateTime(instant(served_at)),
    });
  }
  return {
    member_pin_id: pin.id as PinReachResponse['member_pin_id'],
    member_id: member_id as PinReachResponse['member_id'],
    doors,
  };
};
