import {
  reportStolenControllerRequestSchema,
  stolenControllerResponseSchema,
} from '@lintel/wire-protocol/admin/stolen-controller';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { previewStolenController, reportStolenController } from '../../devices/stolen-controller.ts';
import { requirePersonOrOperator } from '../../resources/controller-confirmation.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { requireAccessibleDevice } from '../site-access.ts';

export const createStolenControllerEndpoint = (services: BridgeServices): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'devices.confirm',
    method: 'POST',
    path: `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/report_stolen`,
    tag: 'Devices',
    operationId: 'reportStolenController',
    summary: 'Report a controller as stolen: revokes it and replaces the PINs that it has; the PINs are shown once',
    body: reportStolenControllerRequestSchema,
    response: stolenControllerResponseSchema,
    managesOwnTransaction: true,
    handle: async call => {
      const device = await writeAsCaller(call, async context => {
        requirePersonOrOperator(call.caller);
        return requireAccessibleDevice(context, call.caller, call.params['device_id']!);
      });
      if (call.body.dry_run) return previewStolenController(services, device);
      return reportStolenController(services, device, work => writeAsCaller(call, work));
    },
  });
