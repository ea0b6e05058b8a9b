import { webhookAnswer, webhookCreate, webhookCreated, webhookEdit } from '@lintel/wire-protocol/rest/webhook';
import type { Endpoint } from '../http/endpoint.ts';
import { createWebhook, deleteWebhook, editWebhook } from '../resources/webhooks.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const webhookEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'webhook',
    tag: 'Webhooks',
    path: '/webhooks',
    one: 'a webhook',
    many: 'the webhooks of this application',
    answer: webhookAnswer,
    allowedReadOnly: true,
  });
  return [
    list(),
    get(),
    create({
      body: webhookCreate,
      answer: webhookCreated,
      revealed: ['secret'],
      summary: 'Create a webhook; the secret is in this answer only',
      write: (context, { caller, body }) => createWebhook(context, caller.applicationId, body),
    }),
    edit({
      body: webhookEdit,
      write: (context, { caller, id, body }) => editWebhook(context, caller.applicationId, id, body),
    }),
    remove({ write: (context, { caller, id }) => deleteWebhook(context, caller.applicationId, id) }),
  ];
};
