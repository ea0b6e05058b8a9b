import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { PinDeliveryResponse } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import { toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { collectRelevantMemberGroups } from './access-snapshot/relevant-member-groups.ts';
import { parseSnapshotScope } from './access-snapshot/snapshot-scope-serialization.ts';
import {
  loadOrganizationWithoutMembers,
  type OrganizationWithoutMembers,
} from './access-snapshot/organization-without-members.ts';

type Controller = PinDeliveryResponse['doors'][number];

/** A claimed controller: the groups that it needs, and what it has confirmed. */
export interface ControllerDeliveryState extends Omit<Controller, 'status'> {
  readonly requiredGroups: ReadonlySet<string>;
  readonly servedGroups: ReadonlySet<string>;
  /** The gadgets that it opens. */
  readonly targets: ReadonlySet<string>;
}

/** The gadgets that a device opens: its own and the targets of its input rules. */
const targetsOf = ({ devices, gadgetsByDevice }: OrganizationWithoutMembers, deviceId: string): string[] => [
  ...(gadgetsByDevice.get(deviceId) ?? []).map(({ id }) => id),
  ...(devices.get(deviceId)?.input_rules ?? []).map(({ gadget_id }) => gadget_id),
];

export const loadControllerDeliveryStates = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
  isVisible: (siteId: string) => boolean,
): Promise<ControllerDeliveryState[]> => {
  const structure = await loadOrganizationWithoutMembers(storage.reader, organizationId);
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
      served_at: toDateTimeOrNull(served_at),
      requiredGroups: collectRelevantMemberGroups(structure, targetsOf(structure, id)),
      targets: new Set(targetsOf(structure, id)),
      servedGroups: scope === null ? new Set() : parseSnapshotScope(scope).groups,
    }));
};
