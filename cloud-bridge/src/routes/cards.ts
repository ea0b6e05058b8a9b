import { cardAnswer, cardCreate, cardEdit } from '@lintel/wire-protocol/rest/card';
import type { Endpoint } from '../http/endpoint.ts';
import { createCard, deleteCard, editCard } from '../resources/cards.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const cardEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'card',
    tag: 'Cards',
    path: '/cards',
    one: 'a card',
    many: 'cards',
    answer: cardAnswer,
  });
  return [
    list(),
    get(),
    create({ body: cardCreate, write: (context, { body }) => createCard(context, body) }),
    edit({ body: cardEdit, write: (context, { id, body }) => editCard(context, id, body) }),
    remove({ write: (context, { id }) => deleteCard(context, id) }),
  ];
};
