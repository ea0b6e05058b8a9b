import { memberCardAnswer, memberCardCreate } from '@lintel/wire-protocol/rest/member-card';
import { metadataEdit } from '@lintel/wire-protocol/rest/metadata';
import type { Endpoint } from '../http/endpoint.ts';
import { createMemberCard, deleteMemberCard, editMemberCard } from '../resources/member-cards.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const memberCardEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'member_card',
    parent: 'member',
    tag: 'Member cards',
    path: '/members/:member_id/cards',
    one: 'a card of a member',
    many: 'the cards of a member',
    answer: memberCardAnswer,
  });
  return [
    list(),
    get(),
    create({
      body: memberCardCreate,
      summary: 'Give a card to a member, by its id, its UID or its printed code',
      write: (context, { parentId, body }) => createMemberCard(context, parentId, body),
    }),
    edit({
      body: metadataEdit,
      write: (context, { body, ...address }) => editMemberCard(context, address, body),
    }),
    remove({ write: deleteMemberCard }),
  ];
};
