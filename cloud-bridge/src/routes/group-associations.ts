import {
  memberGroupAssociationAnswer,
  memberGroupAssociationCreate,
} from '@lintel/wire-protocol/rest/member-group-association';
import { metadataEdit } from '@lintel/wire-protocol/rest/metadata';
import type { Endpoint } from '../http/endpoint.ts';
import { createGroupAssociation } from '../resources/group-associations.ts';
import { deleteCredential, editCredential } from '../resources/member-credentials.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const groupAssociationEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'member_group_association',
    parent: 'member',
    tag: 'Member group associations',
    path: '/members/:member_id/group_associations',
    one: 'an association of a member with a group',
    many: 'the associations of a member with groups',
    answer: memberGroupAssociationAnswer,
  });
  return [
    list(),
    get(),
    create({
      body: memberGroupAssociationCreate,
      write: (context, { parentId, body }) => createGroupAssociation(context, parentId, body),
    }),
    edit({
      body: metadataEdit,
      write: (context, { body, ...address }) => editCredential(context, 'member_group_association', address, body),
    }),
    remove({ write: (context, address) => deleteCredential(context, 'member_group_association', address) }),
  ];
};
