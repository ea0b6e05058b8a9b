import { memberAnswer, memberCreate, memberEdit } from '@lintel/wire-protocol/rest/member';
import { memberGroupAnswer, memberGroupCreate, memberGroupEdit } from '@lintel/wire-protocol/rest/member-group';
import { crud } from '../api/crud.ts';
import { createMemberGroup, deleteMemberGroup, editMemberGroup } from '../resources/member-groups.ts';
import { createMember, deleteMember, editMember } from '../resources/members.ts';

export const memberEndpoints = crud(
  { type: 'member', tag: 'Members', path: '/members', one: 'a member', many: 'members', answer: memberAnswer },
  {
    create: { body: memberCreate, write: (context, { body }) => createMember(context, body) },
    edit: {
      body: memberEdit,
      write: (context, { id, body }) => editMember(context, id, body),
      summary: 'Edit a member, or undelete it with is_deleted false',
    },
    remove: {
      write: (context, { id }) => deleteMember(context, id),
      summary: 'Delete a member: all access ends at once',
    },
  },
);

export const memberGroupEndpoints = crud(
  {
    type: 'member_group',
    tag: 'Member groups',
    path: '/member_groups',
    one: 'a member group',
    many: 'member groups',
    answer: memberGroupAnswer,
  },
  {
    create: { body: memberGroupCreate, write: (context, { body }) => createMemberGroup(context, body) },
    edit: { body: memberGroupEdit, write: (context, { id, body }) => editMemberGroup(context, id, body) },
    remove: { write: (context, { id }) => deleteMemberGroup(context, id) },
  },
);
