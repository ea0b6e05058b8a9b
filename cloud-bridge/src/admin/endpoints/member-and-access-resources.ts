import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import type { GadgetActionServices } from '../../actions/gadget-actions.ts';
import type { ApiEndpoint } from '../../api/define-endpoint.ts';
import { createMemberCredentialEndpoints } from '../../routes/member-credentials-and-group-associations.ts';
import { createGadgetActionEndpoints, gadgetTriggerEndpoints } from '../../routes/gadgets-actions-and-triggers.ts';
import { memberEndpoints, memberGroupEndpoints } from '../../routes/members-and-member-groups.ts';
import {
  cardEndpoints,
  eventEndpoints,
  scheduleEndpoints,
  tagEndpoints,
} from '../../routes/organization-schedules-cards-tags-and-events.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { type AdminEndpoint, assignRequiredPermissions, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

type Resource = 'members' | 'member_groups' | 'schedules' | 'cards' | 'tags' | 'gadget_triggers';

/** Serves endpoints of the public API below the organization. */
const inOrganization = (
  endpoints: readonly ApiEndpoint[],
  permissionFor: (endpoint: ApiEndpoint) => AdminPermission,
): AdminEndpoint[] =>
  assignRequiredPermissions(
    endpoints.map(endpoint => ({ ...endpoint, path: `${ORGANIZATION_PATH_PREFIX}${endpoint.path}` })),
    permissionFor,
  );

const resource = (name: Resource, endpoints: readonly ApiEndpoint[]): AdminEndpoint[] =>
  inOrganization(endpoints, ({ method, path }) => {
    if (path.endsWith('/reveal')) return 'credentials.reveal';
    return method === 'GET' ? `${name}.read` : `${name}.write`;
  });

/** Members and everything that belongs to their access, with the endpoint definitions of the public API. */
export const createMemberResourceEndpoints = (
  services: BridgeServices,
  actions: GadgetActionServices['actions'],
): AdminEndpoint[] => [
  ...inOrganization(
    createGadgetActionEndpoints({ writer: services.writer, storage: services.storage, actions }),
    () => 'gadgets.execute',
  ),
  ...resource('gadget_triggers', gadgetTriggerEndpoints),
  ...resource('members', [...memberEndpoints, ...createMemberCredentialEndpoints(services)]),
  ...resource('member_groups', memberGroupEndpoints),
  ...resource('schedules', scheduleEndpoints),
  ...resource('cards', cardEndpoints),
  ...resource('tags', tagEndpoints),
  ...inOrganization(eventEndpoints, () => 'events.read'),
];
