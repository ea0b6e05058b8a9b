import { instant } from '@lintel/access-core/instant';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { MemberDeliveryResponse, PinReachResponse } from '@lintel/wire-protocol/admin/credential-delivery';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { BridgeServices } from '../services.ts';
import type { MemberPinRow } from '../storage/schema.ts';
import { loadMemberRecords, type MemberRecord } from './access-snapshot/member-records.ts';
import { isMemberInGroups, wasMemberEverInGroups } from './access-snapshot/member-entry-json.ts';
import { findRelevantGroups } from './access-snapshot/relevant-groups.ts';
import { parseSnapshotScope } from './access-snapshot/snapshot-scope.ts';
import { loadOrganizationStructure, type OrganizationStructure } from './access-snapshot/organization-structure.ts';
import { type CredentialState, loadCredentialStates } from './credential-states.ts';

type DeliveryServices = Pick<BridgeServices, 'storage' | 'masterKeys'>;
type Controller = PinReachResponse['doors'][number];

/** A claimed controller: the groups that it needs, and what it has confirmed. */
interface ControllerState extends Omit<Controller, 'status'> {
  readonly requiredGroups: ReadonlySet<string>;
  readonly servedGroups: ReadonlySet<string>;
}

/** The gadgets that a device opens: its own and the targets of its input rules. */
const targetsOf = ({ devices, gadgetsByDevice }: OrganizationStructure, deviceId: string): string[] => [
  ...(gadgetsByDevice.get(deviceId) ?? []).map(({ id }) => id),
  ...(devices.get(deviceId)?.input_rules ?? []).map(({ gadget_id }) => gadget_id),
];

const loadControllers = async (
  { storage }: DeliveryServices,
  organizationId: string,
  isVisible: (siteId: string) => boolean,
): Promise<ControllerState[]> => {
  const structure = await loadOrganizationStructure(storage.reader, organizationId);
  const rows = await storage.reader
    .selectFrom('device_links as l')
    .innerJoin('devices as d', 'd.id', 'l.device_id')
    .leftJoin('device_sync as s', 's.device_id', 'l.device_id')
    .select(['d.id', 'd.site_id', 'd.name', 'd.status', 's.revision', 's.scope', 's.served_at'])
    .where('l.organization_id', '=', organizationId)
    .where('d.is_deleted', '=', 0)
    .orderBy('d.created_at')
    .orderBy('d.id')
    .execute();
  return rows
    .filter(({ site_id }) => isVisible(site_id))
    .map(({ id, site_id, name, status, revision, scope, served_at }) => ({
      device_id: id as Controller['device_id'],
      site_id: site_id as Controller['site_id'],
      name,
      online: (JSON.parse(status) as DeviceStatus).online,
      served_revision: revision,
      served_at: served_at === null ? null : toDateTime(instant(served_at)),
      requiredGroups: findRelevantGroups(structure, targetsOf(structure, id)),
      servedGroups: scope === null ? new Set() : parseSnapshotScope(scope).groups,
    }));
};

/** Null if the controller neither has nor needs the credential. */
const statusAt = (
  member: MemberRecord,
  { is_deleted, revision }: CredentialState,
  { requiredGroups, servedGroups, served_revision }: ControllerState,
): Controller['status'] | null => {
  const isUpToDate = (served_revision ?? -1) >= revision;
  if (!is_deleted && isMemberInGroups(member, requiredGroups))
    return isUpToDate && isMemberInGroups(member, servedGroups) ? 'served' : 'pending';
  return !isUpToDate && wasMemberEverInGroups(member, servedGroups) ? 'leaving' : null;
};

const deliveryOf = (
  member: MemberRecord | undefined,
  credential: CredentialState,
  controllers: readonly ControllerState[],
): Controller[] =>
  controllers.flatMap(controller => {
    const status = member === undefined ? null : statusAt(member, credential, controller);
    if (status === null) return [];
    const { requiredGroups: _, servedGroups: __, ...description } = controller;
    return [{ ...description, status }];
  });

const loadMember = async ({ storage, masterKeys }: DeliveryServices, organizationId: string, memberId: string) => {
  const { reader: db, engine } = storage;
  const source = { db, engine, masterKeys, organizationId, onUnreadable: () => undefined };
  return (await loadMemberRecords(source, [memberId])).get(memberId);
};

/** Determines which controllers have the credentials of the member, from the revisions that they report to serve. */
export const loadMemberDelivery = async (
  services: DeliveryServices,
  organizationId: string,
  memberId: string,
  isVisible: (siteId: string) => boolean,
): Promise<MemberDeliveryResponse> => {
  const member = await loadMember(services, organizationId, memberId);
  const controllers = await loadControllers(services, organizationId, isVisible);
  const credentials = await loadCredentialStates(services.storage.reader, organizationId, memberId);
  return {
    member_id: memberId as MemberDeliveryResponse['member_id'],
    credentials: credentials
      .map(credential => ({ ...credential, controllers: deliveryOf(member, credential, controllers) }))
      .filter(({ is_deleted, controllers: { length } }) => !is_deleted || length > 0),
  };
};

/** The same for one PIN. */
export const loadPinReach = async (
  services: DeliveryServices,
  { id, organization_id, member_id }: Pick<MemberPinRow, 'id' | 'organization_id' | 'member_id'>,
  isVisible: (siteId: string) => boolean,
): Promise<PinReachResponse> => {
  const { credentials } = await loadMemberDelivery(services, organization_id, member_id, isVisible);
  return {
    member_pin_id: id as PinReachResponse['member_pin_id'],
    member_id: member_id as PinReachResponse['member_id'],
    doors: credentials.find(credential => credential.id === id)?.controllers ?? [],
  };
};
