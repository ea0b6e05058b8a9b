import { bareCredentialCreate } from '@lintel/wire-protocol/rest/member-credential';
import { memberMagicLinkAnswer, memberMagicLinkRevealed } from '@lintel/wire-protocol/rest/member-magic-link';
import { emptyBody, metadataEdit } from '@lintel/wire-protocol/rest/metadata';
import type { Endpoint } from '../http/endpoint.ts';
import { createMagicLink, revealMagicLink } from '../resources/magic-links.ts';
import { deleteCredential, editCredential } from '../resources/member-credentials.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const memberMagicLinkEndpoints = (services: Services): Endpoint[] => {
  const { list, get, create, edit, remove, act } = crud(services, {
    type: 'member_magic_link',
    parent: 'member',
    tag: 'Member magic links',
    path: '/members/:member_id/magic_links',
    one: 'a magic link of a member',
    many: 'the magic links of a member',
    answer: memberMagicLinkAnswer,
  });
  const revealing = { answer: memberMagicLinkRevealed, revealed: ['link'] };
  return [
    list(),
    get(),
    create({
      ...revealing,
      body: bareCredentialCreate,
      write: (context, { parentId, body }) => createMagicLink(context, parentId, body, services.publicUrl),
    }),
    edit({
      body: metadataEdit,
      write: (context, { body, ...address }) => editCredential(context, 'member_magic_link', address, body),
    }),
    remove({ write: (context, address) => deleteCredential(context, 'member_magic_link', address) }),
    act('reveal', {
      ...revealing,
      body: emptyBody,
      summary: 'Show a magic link again',
      write: (context, address) => revealMagicLink(context, address, services.publicUrl),
    }),
  ];
};
