import { cardAnswer, cardCreate, cardEdit } from '@lintel/wire-protocol/rest/card';
import { eventAnswer } from '@lintel/wire-protocol/rest/event';
import { metadataEdit } from '@lintel/wire-protocol/rest/metadata';
import { organizationAnswer } from '@lintel/wire-protocol/rest/organization';
import { scheduleAnswer, scheduleCreate, scheduleEdit } from '@lintel/wire-protocol/rest/schedule';
import { tagAnswer, tagCreate, tagEdit } from '@lintel/wire-protocol/rest/tag';
import { answerWithRow, crud } from '../api/crud.ts';
import { type Endpoint, endpoint } from '../api/endpoint.ts';
import { expandOf } from '../queries/reader.ts';
import { createCard, deleteCard, editCard } from '../resources/cards.ts';
import { editOrganization } from '../resources/organization.ts';
import { createSchedule, deleteSchedule, editSchedule } from '../resources/schedules.ts';
import { createTag, deleteTag, editTag } from '../resources/tags.ts';

const common = {
  tag: 'Organization',
  path: '/organization',
  answer: organizationAnswer,
  object: 'organization',
} as const;

export const organizationEndpoints: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'GET',
    summary: 'Get the organization of the token',
    handle: ({ caller, query, reader }) =>
      reader.get('organization', caller, caller.organizationId, expandOf('organization', query)),
  }),
  endpoint({
    ...common,
    method: 'PATCH',
    summary: 'Edit the organization',
    body: metadataEdit,
    handle: answerWithRow('organization', (context, { body }) => editOrganization(context, body)),
  }),
];

export const scheduleEndpoints = crud(
  {
    type: 'schedule',
    tag: 'Schedules',
    path: '/schedules',
    one: 'a schedule',
    many: 'schedules',
    answer: scheduleAnswer,
  },
  {
    create: { body: scheduleCreate, write: (context, { body }) => createSchedule(context, body) },
    edit: { body: scheduleEdit, write: (context, { id, body }) => editSchedule(context, id, body) },
    remove: { write: (context, { id }) => deleteSchedule(context, id) },
  },
);

export const cardEndpoints = crud(
  { type: 'card', tag: 'Cards', path: '/cards', one: 'a card', many: 'cards', answer: cardAnswer },
  {
    create: { body: cardCreate, write: (context, { body }) => createCard(context, body) },
    edit: { body: cardEdit, write: (context, { id, body }) => editCard(context, id, body) },
    remove: { write: (context, { id }) => deleteCard(context, id) },
  },
);

export const tagEndpoints = crud(
  { type: 'tag', tag: 'Tags', path: '/tags', one: 'a tag', many: 'tags', answer: tagAnswer },
  {
    create: { body: tagCreate, write: (context, { body }) => createTag(context, body) },
    edit: { body: tagEdit, write: (context, { id, body }) => editTag(context, id, body) },
    remove: { write: (context, { id }) => deleteTag(context, id) },
  },
);

export const eventEndpoints = crud({
  type: 'event',
  tag: 'Events',
  path: '/events',
  one: 'an event',
  many: 'events',
  answer: eventAnswer,
});
