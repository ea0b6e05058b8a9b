import { deskLimitsResponseSchema, editDeskLimitsRequestSchema } from '@lintel/wire-protocol/admin/desk-limits';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { editDeskLimits, loadDeskLimits } from '../../role-limits/desk-limits.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

/** What the front desk may give. */
export const createDeskLimitsEndpoints = ({ clock }: BridgeServices): AdminEndpoint[] => {
  const common = {
    path: `${ORGANIZATION_PATH_PREFIX}/desk_limits`,
    tag: 'Access',
    response: deskLimitsResponseSchema,
  } as const;
  return [
    defineAdminEndpoint({
      ...common,
      method: 'GET',
      requiredPermission: 'member_groups.read',
      summary: 'Get the groups and the longest stay that the front desk may give',
      handle: ({ db, caller }) => loadDeskLimits(db, caller.organizationId, clock()),
    }),
    defineAdminEndpoint({
      ...common,
      method: 'PATCH',
      requiredPermission: 'member_groups.write',
      summary: 'Edit the groups and the longest stay that the front desk may give',
      body: editDeskLimitsRequestSchema,
      handle: call =>
        writeAsCaller(call, async context => {
          await editDeskLimits(context, call.body);
          return loadDeskLimits(context.db, call.caller.organizationId, clock());
        }),
    }),
  ];
};
