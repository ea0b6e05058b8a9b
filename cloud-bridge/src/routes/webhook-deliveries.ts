import { emptyBody } from '@lintel/wire-protocol/rest/metadata';
import { webhookDeliveryAnswer } from '@lintel/wire-protocol/rest/webhook-delivery';
import type { Endpoint } from '../http/endpoint.ts';
import { redeliver } from '../resources/webhook-deliveries.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const webhookDeliveryEndpoints = (services: Services): Endpoint[] => {
  const { list, get, act } = crud(services, {
    type: 'webhook_delivery',
    parent: 'webhook',
    tag: 'Webhooks',
    path: '/webhooks/:webhook_id/deliveries',
    one: 'a delivery of a webhook',
    many: 'the deliveries of a webhook, with what the receiver answered',
    answer: webhookDeliveryAnswer,
    allowedReadOnly: true,
  });
  return [
    list(),
    get(),
    act('redeliver', {
      body: emptyBody,
      summary: 'Deliver an event to a webhook once more',
      write: (context, { caller, parentId, id }) => redeliver(context, caller.applicationId, parentId, id),
    }),
  ];
};
