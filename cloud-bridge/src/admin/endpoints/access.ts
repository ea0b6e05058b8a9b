import { accessCheckRequest, accessCheckResponse } from '@lintel/wire-protocol/admin/access-check';
import { checkAccess } from '../../access/check-access.ts';
import { writeAsCaller } from '../../api/endpoint.ts';
import type { BridgeServices } from '../../services.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH } from '../admin-endpoint.ts';

/** Who may open what, when, and why. */
export const accessEndpoints = ({ storage }: BridgeServices): AdminEndpoint[] => [
  defineAdminEndpoint({
    requiredPermission: 'members.read',
    method: 'POST',
    path: `${ORGANIZATION_PATH}/access_check`,
    tag: 'Access',
    operationId: 'checkAccess',
    summary: 'Explain whether a member may perform an action, without performing it',
    body: accessCheckRequest,
    response: accessCheckResponse,
    handle: call => writeAsCaller(call, context => checkAccess(context, storage.engine, call.body)),
  }),
];
