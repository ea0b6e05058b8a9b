import { memberGroupAnswer, memberGroupCreate, memberGroupEdit } from '@lintel/wire-protocol/rest/member-group';
import type { Endpoint } from '../http/endpoint.ts';
import { createMemberGroup, deleteMemberGroup, editMemberGroup } from '../resources/member-groups.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const memberGroupEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'member_group',
    tag: 'Member groups',
    path: '/member_groups',
    one: 'a member group',
    many: 'member groups',
    answer: memberGroupAnswer,
  });
  return [
    list(),
    get(),
    create({ body: memberGroupCreate, write: (context, { body }) => createMemberGroup(context, body) }),
    edit({ body: memberGroupEdit, write: (context, { id, body }) => editMemberGroup(context, id, body) }),
    remove({ write: (context, { id }) => deleteMemberGroup(context, id) }),
  ];
};
