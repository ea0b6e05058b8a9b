import { emptyBodySchema } from '@lintel/wire-protocol/rest/metadata';
import {
  webhookResponse,
  createWebhookRequest,
  webhookCreatedResponse,
  editWebhookRequest,
} from '@lintel/wire-protocol/rest/webhook';
import { webhookDeliveryResponse } from '@lintel/wire-protocol/rest/webhook-delivery';
import { crudEndpoints } from '../api/crud-endpoints.ts';
import type { OrganizationCaller } from '../http/caller.ts';
import { redeliverEvent } from '../resources/webhook-deliveries.ts';
import { createWebhook, deleteWebhook, editWebhook, requireAllowedUrl } from '../resources/webhooks.ts';
import type { BridgeServices } from '../services.ts';

/** Webhooks belong to the application of the token, or to the one that a signed-in user manages. */
const ownerOf = ({ applicationId, managedApplicationId }: OrganizationCaller): string => {
  const id = managedApplicationId ?? applicationId;
  if (id === null) throw new Error('The caller manages no application');
  return id;
};

export const webhookEndpoints = ({ webhookAddresses }: Pick<BridgeServices, 'webhookAddresses'>) =>
  crudEndpoints(
    {
      type: 'webhook',
      tag: 'Webhooks',
      path: '/webhooks',
      singular: 'a webhook',
      plural: 'the webhooks of this application',
      response: webhookResponse,
      isAllowedReadOnly: true,
    },
    {
      create: {
        body: createWebhookRequest,
        response: webhookCreatedResponse,
        revealed: ['secret'],
        summary: 'Create a webhook; the secret is shown once',
        write: (context, { caller, body }) => {
          requireAllowedUrl(webhookAddresses, body.url);
          return createWebhook(context, ownerOf(caller), body);
        },
      },
      edit: {
        body: editWebhookRequest,
        write: (context, { caller, id, body }) => {
          if (body.url !== undefined) requireAllowedUrl(webhookAddresses, body.url);
          return editWebhook(context, ownerOf(caller), id, body);
        },
      },
      remove: { write: (context, { caller, id }) => deleteWebhook(context, ownerOf(caller), id) },
    },
  );

export const webhookDeliveryEndpoints = crudEndpoints(
  {
    type: 'webhook_delivery',
    parent: 'webhook',
    tag: 'Webhooks',
    path: '/webhooks/:webhook_id/deliveries',
    singular: 'a delivery of a webhook',
    plural: 'the deliveries of a webhook with the responses of the receiver',
    response: webhookDeliveryResponse,
    isAllowedReadOnly: true,
  },
  {
    action: {
      name: 'redeliver',
      body: emptyBodySchema,
      summary: 'Deliver an event to a webhook again',
      operationId: 'redeliverWebhookDelivery',
      write: (context, { caller, parentId, id }) => redeliverEvent(context, ownerOf(caller), parentId, id),
    },
  },
);
