import { memberResponse, createMemberRequest, editMemberRequest } from '@lintel/wire-protocol/rest/member';
import {
  memberGroupResponse,
  createMemberGroupRequest,
  editMemberGroupRequest,
} from '@lintel/wire-protocol/rest/member-group';
import { crudEndpoints } from '../api/crud-endpoints.ts';
import { createMemberGroup, deleteMemberGroup, editMemberGroup } from '../resources/member-groups.ts';
import { createMember, deleteMember, editMember } from '../resources/members.ts';

export const memberEndpoints = crudEndpoints(
  {
    type: 'member',
    tag: 'Members',
    path: '/members',
    singular: 'a member',
    plural: 'members',
    response: memberResponse,
  },
  {
    create: { body: createMemberRequest, write: (context, { body }) => createMember(context, body) },
    edit: {
      body: editMemberRequest,
      write: (context, { id, body }) => editMember(context, id, body),
      summary: 'Edit a member, or restore it with is_deleted false',
    },
    remove: {
      write: (context, { id }) => deleteMember(context, id),
      summary: 'Delete a member; all access ends immediately',
    },
  },
);

export const memberGroupEndpoints = crudEndpoints(
  {
    type: 'member_group',
    tag: 'Member groups',
    path: '/member_groups',
    singular: 'a member group',
    plural: 'member groups',
    response: memberGroupResponse,
  },
  {
    create: { body: createMemberGroupRequest, write: (context, { body }) => createMemberGroup(context, body) },
    edit: { body: editMemberGroupRequest, write: (context, { id, body }) => editMemberGroup(context, id, body) },
    remove: { write: (context, { id }) => deleteMemberGroup(context, id) },
  },
);
