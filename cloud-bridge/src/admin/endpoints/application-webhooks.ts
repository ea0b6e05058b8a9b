import type { EndpointCall } from '../../api/define-endpoint.ts';
import { createNotFoundError } from '../../http/api-error.ts';
import { webhookDeliveryEndpoints, createWebhookEndpoints, webhookTestEndpoint } from '../../routes/webhooks.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

const testEndpoint = { ...webhookTestEndpoint, operationId: 'testApplicationWebhook' };

/**
 * The webhooks of an application in the organization that owns it, with the endpoint definitions of the public API. The
 * webhooks of applications of others stay private to those applications.
 */
export const createApplicationWebhookEndpoints = (services: BridgeServices): AdminEndpoint[] => {
  /** 404 for a token of another application, because webhooks are hidden from other applications. */
  const requireOwnApplication = async ({ organizationId, applicationId }: AdminCaller, id: string): Promise<void> => {
    if (applicationId !== null && applicationId !== id) throw createNotFoundError('application', id);
    const application = await services.storage.reader
      .selectFrom('oauth_applications')
      .select('id')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('is_deleted', '=', 0)
      .executeTakeFirst();
    if (application === undefined) throw createNotFoundError('application', id);
  };
  return [...createWebhookEndpoints(services), ...webhookDeliveryEndpoints, testEndpoint].map(endpoint => ({
    ...endpoint,
    path: `${ORGANIZATION_PATH_PREFIX}/applications/:application_id${endpoint.path}`,
    requiredPermission: endpoint.method === 'GET' ? 'applications.read' : 'applications.write',
    handle: async (call: EndpointCall<unknown, AdminCaller>) => {
      const managedApplicationId = call.params['application_id'] ?? '';
      await requireOwnApplication(call.caller, managedApplicationId);
      return endpoint.handle({ ...call, caller: { ...call.caller, managedApplicationId } });
    },
  }));
};
