import { toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { gadgetStatesResponseSchema, type UnlockedGadget } from '@lintel/wire-protocol/admin/gadget-states';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import { hasPermission } from '../../accounts/role-permissions.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { findUnlocked, type Unlocked } from '../../devices/unlocked-gadgets.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { canAccessSite } from '../site-access.ts';

/** Names of people need the permission to read members and events. */
const toUnlockedResponse = (caller: AdminCaller, { since, by, stays }: Unlocked): UnlockedGadget => {
  const mayReadEvents = hasPermission(caller, 'events.read');
  const mayName = by?.type === 'member' ? mayReadEvents && hasPermission(caller, 'members.read') : mayReadEvents;
  return {
    since: toDateTimeOrNull(since),
    by: by === null ? null : { type: by.type, name: mayName ? by.name : null },
    stays,
  };
};

export const createGadgetStatesEndpoint = (services: BridgeServices): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'gadgets.read',
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/gadget_states`,
    tag: 'Gadgets',
    operationId: 'listGadgetStates',
    summary: 'List the states of all gadgets, with who unlocked a door and since when',
    response: gadgetStatesResponseSchema,
    handle: async ({ caller }) => {
      const rows = await services.storage.reader
        .selectFrom('gadgets as g')
        .innerJoin('devices as d', 'd.id', 'g.device_id')
        .leftJoin('device_links as l', 'l.device_id', 'g.device_id')
        .select(['g.id', 'g.organization_id', 'g.site_id', 'g.device_id', 'g.name', 'g.state_id', 'g.states'])
        .select(['d.status', 'l.offline_since'])
        .where('g.organization_id', '=', caller.organizationId)
        .where('g.is_deleted', '=', 0)
        .execute();
      const gadgets = [];
      for (const { status, offline_since, ...gadget } of rows) {
        if (!canAccessSite(caller, gadget.site_id)) continue;
        const { online } = JSON.parse(status) as DeviceStatus;
        const unlocked = await findUnlocked(services, gadget);
        gadgets.push({
          gadget_id: gadget.id,
          state_id: gadget.state_id,
          is_current: online,
          known_at: online ? null : toDateTimeOrNull(offline_since),
          unlocked: unlocked === null ? null : toUnlockedResponse(caller, unlocked),
        });
      }
      return { gadgets };
    },
  });
