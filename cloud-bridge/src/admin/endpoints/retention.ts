import { editRetentionRequestSchema, retentionResponseSchema } from '@lintel/wire-protocol/admin/retention';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { ApiError } from '../../http/api-error.ts';
import { editRetentionSettings, findRetentionRow, toRetentionResponse } from '../../retention/retention-settings.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { toActor } from '../../transactions/actor.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

export const createRetentionEndpoints = ({ retention }: BridgeServices): AdminEndpoint[] => {
  const common = {
    path: `${ORGANIZATION_PATH_PREFIX}/retention`,
    tag: 'Organization',
    response: retentionResponseSchema,
  } as const;
  return [
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'organization.read',
      method: 'GET',
      summary: 'Get how long events and delivery logs are kept',
      operationId: 'getRetention',
      handle: async ({ db, caller: { organizationId } }) =>
        toRetentionResponse(await findRetentionRow(db, organizationId), retention),
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'organization.edit',
      method: 'PATCH',
      summary: 'Set how long events and delivery logs are kept',
      operationId: 'editRetention',
      body: editRetentionRequestSchema,
      handle: async call => {
        if (call.caller.role !== 'owner')
          throw new ApiError('forbidden', 'Only an owner may set how long records are kept');
        return writeAsCaller(call, context =>
          editRetentionSettings(context, toActor(call.caller), retention, call.body),
        );
      },
    }),
  ];
};
