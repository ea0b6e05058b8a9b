import { emptyBodySchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import {
  webhookResponseSchema,
  createWebhookRequestSchema,
  webhookCreatedResponseSchema,
  editWebhookRequestSchema,
} from '@lintel/wire-protocol/rest/webhook';
import { webhookDeliveryResponseSchema } from '@lintel/wire-protocol/rest/webhook-delivery';
import { createCrudEndpoints, createRowResponseHandler } from '../api/crud-endpoints.ts';
import { type ApiEndpoint, defineEndpoint, type EndpointCall } from '../api/define-endpoint.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { queueWebhookRedelivery, queueWebhookTestEvent } from '../resources/queue-webhook-test-and-redelivery.ts';
import { createWebhook, deleteWebhook, editWebhook, requireAllowedWebhookUrl } from '../resources/webhooks.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';

/** Webhooks belong to the application of the token, or to the one that a signed-in user manages. */
const ownerOf = ({ applicationId, managedApplicationId }: OrganizationCaller): string => {
  const id = managedApplicationId ?? applicationId;
  if (id === null) throw new Error('The caller manages no application');
  return id;
};

export const createWebhookEndpoints = ({ webhookAddresses }: Pick<BridgeServices, 'webhookAddresses'>) =>
  createCrudEndpoints(
    {
      type: 'webhook',
      tag: 'Webhooks',
      path: '/webhooks',
      singular: 'a webhook',
      plural: 'the webhooks of this application',
      response: webhookResponseSchema,
      isAllowedReadOnly: true,
    },
    {
      create: {
        body: createWebhookRequestSchema,
        response: webhookCreatedResponseSchema,
        revealed: ['secret'],
        summary: 'Create a webhook; the secret is shown once',
        write: (context, { caller, body }) => {
          requireAllowedWebhookUrl(webhookAddresses, body.url);
          return createWebhook(context, ownerOf(caller), body);
        },
      },
      edit: {
        body: editWebhookRequestSchema,
        write: (context, { caller, id, body }) => {
          if (body.url !== undefined) requireAllowedWebhookUrl(webhookAddresses, body.url);
          return editWebhook(context, ownerOf(caller), id, body);
        },
      },
      remove: { write: (context, { caller, id }) => deleteWebhook(context, ownerOf(caller), id) },
    },
  );

export const webhookTestEndpoint: ApiEndpoint = defineEndpoint({
  method: 'POST',
  path: '/webhooks/:webhook_id/test',
  operationId: 'testWebhook',
  tag: 'Webhooks',
  summary: 'Send a test event to a webhook, whatever its filter',
  body: emptyBodySchema,
  object: 'webhook_delivery',
  response: webhookDeliveryResponseSchema,
  isAllowedReadOnly: true,
  handle: createRowResponseHandler<EndpointCall<object>>('webhook_delivery', (context, call) =>
    queueWebhookTestEvent(context, ownerOf(call.caller), call.params['webhook_id'] ?? ''),
  ),
});

export const webhookDeliveryEndpoints = createCrudEndpoints(
  {
    type: 'webhook_delivery',
    parent: 'webhook',
    tag: 'Webhooks',
    path: '/webhooks/:webhook_id/deliveries',
    singular: 'a delivery of a webhook',
    plural: 'the deliveries of a webhook with the responses of the receiver',
    response: webhookDeliveryResponseSchema,
    isAllowedReadOnly: true,
  },
  {
    action: {
      name: 'redeliver',
      body: emptyBodySchema,
      summary: 'Deliver an event to a webhook again',
      operationId: 'redeliverWebhookDelivery',
      write: (context, { caller, parentId, id }) => queueWebhookRedelivery(context, ownerOf(caller), parentId, id),
    },
  },
);
