import { memberEmailAnswer, memberEmailCreate } from '@lintel/wire-protocol/rest/member-email';
import { metadataEdit } from '@lintel/wire-protocol/rest/metadata';
import type { Endpoint } from '../http/endpoint.ts';
import { deleteCredential, editCredential } from '../resources/member-credentials.ts';
import { createMemberEmail } from '../resources/member-emails.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const memberEmailEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'member_email',
    parent: 'member',
    tag: 'Member emails',
    path: '/members/:member_id/emails',
    one: 'an email of a member',
    many: 'the emails of a member',
    answer: memberEmailAnswer,
  });
  return [
    list(),
    get(),
    create({
      body: memberEmailCreate,
      write: (context, { parentId, body }) => createMemberEmail(context, parentId, body),
    }),
    edit({
      body: metadataEdit,
      write: (context, { body, ...address }) => editCredential(context, 'member_email', address, body),
    }),
    remove({ write: (context, address) => deleteCredential(context, 'member_email', address) }),
  ];
};
