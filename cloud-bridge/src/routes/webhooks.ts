import { emptyBody } from '@lintel/wire-protocol/rest/metadata';
import { webhookAnswer, webhookCreate, webhookCreated, webhookEdit } from '@lintel/wire-protocol/rest/webhook';
import { webhookDeliveryAnswer } from '@lintel/wire-protocol/rest/webhook-delivery';
import { crud } from '../api/crud.ts';
import { redeliver } from '../resources/webhook-deliveries.ts';
import { createWebhook, deleteWebhook, editWebhook } from '../resources/webhooks.ts';

export const webhookEndpoints = crud(
  {
    type: 'webhook',
    tag: 'Webhooks',
    path: '/webhooks',
    one: 'a webhook',
    many: 'the webhooks of this application',
    answer: webhookAnswer,
    allowedReadOnly: true,
  },
  {
    create: {
      body: webhookCreate,
      answer: webhookCreated,
      revealed: ['secret'],
      summary: 'Create a webhook; the secret is in this answer only',
      write: (context, { caller, body }) => createWebhook(context, caller.applicationId, body),
    },
    edit: {
      body: webhookEdit,
      write: (context, { caller, id, body }) => editWebhook(context, caller.applicationId, id, body),
    },
    remove: { write: (context, { caller, id }) => deleteWebhook(context, caller.applicationId, id) },
  },
);

export const webhookDeliveryEndpoints = crud(
  {
    type: 'webhook_delivery',
    parent: 'webhook',
    tag: 'Webhooks',
    path: '/webhooks/:webhook_id/deliveries',
    one: 'a delivery of a webhook',
    many: 'the deliveries of a webhook, with what the receiver answered',
    answer: webhookDeliveryAnswer,
    allowedReadOnly: true,
  },
  {
    action: {
      name: 'redeliver',
      body: emptyBody,
      summary: 'Deliver an event to a webhook once more',
      write: (context, { caller, parentId, id }) => redeliver(context, caller.applicationId, parentId, id),
    },
  },
);
