import { decideOnControllerRequestSchema } from '@lintel/wire-protocol/admin/device-connection';
import { emptyBodySchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import {
  confirmController,
  rejectController,
  requirePersonOrOperator,
} from '../../resources/controller-confirmation.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { requireAccessibleDevice } from '../site-access.ts';

type Decide = (context: WriteContext, device: DeviceRow, fingerprint: string | undefined) => Promise<void>;

const defineDecision = (name: 'confirm' | 'reject', summary: string, decide: Decide): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'devices.confirm',
    method: 'POST',
    path: `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/${name}`,
    tag: 'Devices',
    operationId: `${name}Controller`,
    summary,
    body: decideOnControllerRequestSchema,
    response: emptyBodySchema,
    handle: async call => {
      await writeAsCaller(call, async context => {
        requirePersonOrOperator(call.caller);
        const device = await requireAccessibleDevice(context, call.caller, call.params['device_id']!);
        await decide(context, device, call.body.fingerprint);
      });
      return {};
    },
  });

export const controllerConfirmationEndpoints: readonly AdminEndpoint[] = [
  defineDecision('confirm', 'Confirm a controller that a technician has claimed: it gets members', confirmController),
  defineDecision('reject', 'Reject a controller that a technician has claimed', rejectController),
];
