import { eventAnswer } from '@lintel/wire-protocol/rest/event';
import type { Endpoint } from '../http/endpoint.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const eventEndpoints = (services: Services): Endpoint[] => {
  const { list, get } = crud(services, {
    type: 'event',
    tag: 'Events',
    path: '/events',
    one: 'an event',
    many: 'events',
    answer: eventAnswer,
  });
  return [list(), get()];
};
