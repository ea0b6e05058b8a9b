import { bareCredentialCreate } from '@lintel/wire-protocol/rest/member-credential';
import { memberTokenAnswer, memberTokenRevealed } from '@lintel/wire-protocol/rest/member-token';
import { metadataEdit } from '@lintel/wire-protocol/rest/metadata';
import type { Endpoint } from '../http/endpoint.ts';
import { deleteCredential, editCredential } from '../resources/member-credentials.ts';
import { createMemberToken } from '../resources/member-tokens.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const memberTokenEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove } = crud(services, {
    type: 'member_token',
    parent: 'member',
    tag: 'Member tokens',
    path: '/members/:member_id/tokens',
    one: 'a token of a member',
    many: 'the tokens of a member',
    answer: memberTokenAnswer,
  });
  return [
    list(),
    get(),
    create({
      body: bareCredentialCreate,
      answer: memberTokenRevealed,
      revealed: ['token'],
      write: (context, { parentId, body }) => createMemberToken(context, parentId, body),
    }),
    edit({
      body: metadataEdit,
      write: (context, { body, ...address }) => editCredential(context, 'member_token', address, body),
    }),
    remove({ write: (context, address) => deleteCredential(context, 'member_token', address) }),
  ];
};
