import { memberCardResponseSchema, createMemberCardRequestSchema } from '@lintel/wire-protocol/rest/member-card';
import { createGeneratedCredentialRequestSchema } from '@lintel/wire-protocol/rest/shared-member-credential-fields';
import { memberEmailResponseSchema, createMemberEmailRequestSchema } from '@lintel/wire-protocol/rest/member-email';
import {
  memberGroupAssociationResponseSchema,
  createMemberGroupAssociationRequestSchema,
  editMemberGroupAssociationRequestSchema,
} from '@lintel/wire-protocol/rest/member-group-association';
import {
  memberMagicLinkResponseSchema,
  memberMagicLinkRevealedResponseSchema,
} from '@lintel/wire-protocol/rest/member-magic-link';
import {
  memberPinResponseSchema,
  createMemberPinRequestSchema,
  memberPinRevealedResponseSchema,
} from '@lintel/wire-protocol/rest/member-pin';
import { memberTokenResponseSchema, memberTokenRevealedResponseSchema } from '@lintel/wire-protocol/rest/member-token';
import { emptyBodySchema, editMetadataRequestSchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import type * as z from 'zod';
import { createCrudEndpoints, type CrudWriteDefinitions, type CrudResourceDescription } from '../api/crud-endpoints.ts';
import type { ApiEndpoint } from '../api/define-endpoint.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { createGroupAssociation, editGroupAssociation } from '../resources/group-associations.ts';
import { createMagicLink, revealMagicLink } from '../resources/magic-links.ts';
import { createMemberCard, deleteMemberCard, editMemberCard } from '../resources/member-cards.ts';
import {
  type MemberCredentialKind,
  deleteMemberCredential,
  editMemberCredential,
} from '../resources/member-credentials.ts';
import { createMemberEmail } from '../resources/member-emails.ts';
import { createMemberPin, deleteMemberPin, revealMemberPin } from '../resources/member-pins.ts';
import { createMemberToken } from '../resources/member-tokens.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';

interface CredentialDescription extends Omit<CrudResourceDescription, 'parent'> {
  readonly type: MemberCredentialKind;
}

/** Endpoints of credentials and group associations, below their member. The metadata of each kind can be edited. */
const memberResourceEndpoints = <
  C1 extends z.ZodType,
  C3 extends z.ZodType,
  C2 extends typeof editMetadataRequestSchema = typeof editMetadataRequestSchema,
>(
  { path, ...description }: CredentialDescription,
  operations: CrudWriteDefinitions<OrganizationCaller, C1, C2, C3>,
): ApiEndpoint[] => {
  const { type } = description;
  return createCrudEndpoints<C1, C2 | typeof editMetadataRequestSchema, C3>(
    { ...description, parent: 'member', path: `/members/:member_id/${path}` },
    {
      edit: {
        body: editMetadataRequestSchema,
        write: (context, { body, ...address }) => editMemberCredential(context, type, address, body),
      },
      remove: { write: (context, address) => deleteMemberCredential(context, type, address) },
      ...operations,
    },
  );
};

const memberEmailEndpoints = memberResourceEndpoints(
  {
    type: 'member_email',
    tag: 'Member emails',
    path: 'emails',
    singular: 'an email of a member',
    plural: 'the emails of a member',
    response: memberEmailResponseSchema,
  },
  {
    create: {
      body: createMemberEmailRequestSchema,
      write: (context, { parentId, body }) => createMemberEmail(context, parentId, body),
    },
  },
);

const revealedLink = { response: memberMagicLinkRevealedResponseSchema, revealed: ['link'] };

const createMemberMagicLinkEndpoints = (services: Pick<BridgeServices, 'publicUrl'>): ApiEndpoint[] =>
  memberResourceEndpoints(
    {
      type: 'member_magic_link',
      tag: 'Member magic links',
      path: 'magic_links',
      singular: 'a magic link of a member',
      plural: 'the magic links of a member',
      response: memberMagicLinkResponseSchema,
    },
    {
      create: {
        ...revealedLink,
        body: createGeneratedCredentialRequestSchema,
        write: (context, { parentId, body }) => createMagicLink(context, parentId, body, services.publicUrl),
      },
      action: {
        ...revealedLink,
        name: 'reveal',
        body: emptyBodySchema,
        summary: 'Show a magic link again',
        operationId: 'revealMemberMagicLink',
        write: (context, address) => revealMagicLink(context, address, services.publicUrl),
      },
    },
  );

const revealedPin = { response: memberPinRevealedResponseSchema, revealed: ['pin'] };

const memberPinEndpoints = memberResourceEndpoints(
  {
    type: 'member_pin',
    tag: 'Member PINs',
    path: 'pins',
    singular: 'a PIN of a member',
    plural: 'the PINs of a member',
    response: memberPinResponseSchema,
  },
  {
    create: {
      ...revealedPin,
      body: createMemberPinRequestSchema,
      summary: 'Create a PIN, either generated with a given length or chosen',
      write: (context, { parentId, body }) => createMemberPin(context, parentId, body),
    },
    remove: { write: deleteMemberPin },
    action: {
      ...revealedPin,
      name: 'reveal',
      body: emptyBodySchema,
      summary: 'Show a PIN again',
      operationId: 'revealMemberPin',
      write: (context, address) => revealMemberPin(context, address),
    },
  },
);

const memberCardEndpoints = memberResourceEndpoints(
  {
    type: 'member_card',
    tag: 'Member cards',
    path: 'cards',
    singular: 'a card of a member',
    plural: 'the cards of a member',
    response: memberCardResponseSchema,
  },
  {
    create: {
      body: createMemberCardRequestSchema,
      summary: 'Give a card to a member, by id, UID or printed code',
      write: (context, { parentId, body }) => createMemberCard(context, parentId, body),
    },
    edit: {
      body: editMetadataRequestSchema,
      write: (context, { body, ...address }) => editMemberCard(context, address, body),
    },
    remove: { write: deleteMemberCard },
  },
);

const memberTokenEndpoints = memberResourceEndpoints(
  {
    type: 'member_token',
    tag: 'Member tokens',
    path: 'tokens',
    singular: 'a token of a member',
    plural: 'the tokens of a member',
    response: memberTokenResponseSchema,
  },
  {
    create: {
      body: createGeneratedCredentialRequestSchema,
      response: memberTokenRevealedResponseSchema,
      revealed: ['token'],
      write: (context, { parentId, body }) => createMemberToken(context, parentId, body),
    },
  },
);

const groupAssociationEndpoints = memberResourceEndpoints(
  {
    type: 'member_group_association',
    tag: 'Member group associations',
    path: 'group_associations',
    singular: 'an association of a member with a group',
    plural: 'the associations of a member with groups',
    response: memberGroupAssociationResponseSchema,
  },
  {
    create: {
      body: createMemberGroupAssociationRequestSchema,
      write: (context, { parentId, body }) => createGroupAssociation(context, parentId, body),
    },
    edit: {
      body: editMemberGroupAssociationRequestSchema,
      write: (context, { body, ...address }) => editGroupAssociation(context, address, body),
    },
  },
);

/** The credentials of members, and their groups. */
export const createMemberCredentialEndpoints = (services: Pick<BridgeServices, 'publicUrl'>): ApiEndpoint[] => [
  ...memberEmailEndpoints,
  ...createMemberMagicLinkEndpoints(services),
  ...memberPinEndpoints,
  ...memberCardEndpoints,
  ...memberTokenEndpoints,
  ...groupAssociationEndpoints,
];
