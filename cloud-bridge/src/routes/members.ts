import { memberAnswer, memberCreate, memberEdit } from '@lintel/wire-protocol/rest/member';
import type { Endpoint } from '../http/endpoint.ts';
import { createMember, deleteMember, editMember } from '../resources/members.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const memberEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'member',
    tag: 'Members',
    path: '/members',
    one: 'a member',
    many: 'members',
    answer: memberAnswer,
  });
  return [
    list(),
    get(),
    create({ body: memberCreate, write: (context, { body }) => createMember(context, body) }),
    edit({
      body: memberEdit,
      write: (context, { id, body }) => editMember(context, id, body),
      summary: 'Edit a member, or undelete it with is_deleted false',
    }),
    remove({
      write: (context, { id }) => deleteMember(context, id),
      summary: 'Delete a member: all access ends at once',
    }),
  ];
};
