import {
  memberResponseSchema,
  createMemberRequestSchema,
  editMemberRequestSchema,
} from '@lintel/wire-protocol/rest/member';
import {
  memberGroupResponseSchema,
  createMemberGroupRequestSchema,
  editMemberGroupRequestSchema,
} from '@lintel/wire-protocol/rest/member-group';
import { createCrudEndpoints } from '../api/crud-endpoints.ts';
import { createMemberGroup, deleteMemberGroup, editMemberGroup } from '../resources/member-groups.ts';
import { createMember, deleteMember, editMember } from '../resources/members.ts';

export const memberEndpoints = createCrudEndpoints(
  {
    type: 'member',
    tag: 'Members',
    path: '/members',
    singular: 'a member',
    plural: 'members',
    response: memberResponseSchema,
  },
  {
    create: { body: createMemberRequestSchema, write: (context, { body }) => createMember(context, body) },
    edit: {
      body: editMemberRequestSchema,
      write: (context, { id, body }) => editMember(context, id, body),
      summary: 'Edit a member, or restore it with is_deleted false',
    },
    remove: {
      write: (context, { id }) => deleteMember(context, id),
      summary: 'Delete a member; all access ends immediately',
    },
  },
);

export const memberGroupEndpoints = createCrudEndpoints(
  {
    type: 'member_group',
    tag: 'Member groups',
    path: '/member_groups',
    singular: 'a member group',
    plural: 'member groups',
    response: memberGroupResponseSchema,
  },
  {
    create: { body: createMemberGroupRequestSchema, write: (context, { body }) => createMemberGroup(context, body) },
    edit: { body: editMemberGroupRequestSchema, write: (context, { id, body }) => editMemberGroup(context, id, body) },
    remove: { write: (context, { id }) => deleteMemberGroup(context, id) },
  },
);
