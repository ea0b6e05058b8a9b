import { cardResponse, createCardRequest, editCardRequest } from '@lintel/wire-protocol/rest/card';
import { eventResponse } from '@lintel/wire-protocol/rest/event';
import { editMetadataRequest } from '@lintel/wire-protocol/rest/metadata';
import { organizationResponse } from '@lintel/wire-protocol/rest/organization';
import { scheduleResponse, createScheduleRequest, editScheduleRequest } from '@lintel/wire-protocol/rest/schedule';
import { tagResponse, createTagRequest, editTagRequest } from '@lintel/wire-protocol/rest/tag';
import { respondWithRow, crudEndpoints } from '../api/crud-endpoints.ts';
import { type ApiEndpoint, defineEndpoint } from '../api/endpoint.ts';
import { parseExpandQuery } from '../queries/resource-reader.ts';
import { createOrAssignCard, deleteCard, editCard } from '../resources/cards.ts';
import { editOrganization } from '../resources/organization.ts';
import { createSchedule, deleteSchedule, editSchedule } from '../resources/schedules.ts';
import { createTag, deleteTag, editTag } from '../resources/tags.ts';

const common = {
  tag: 'Organization',
  path: '/organization',
  response: organizationResponse,
  object: 'organization',
} as const;

export const organizationEndpoints: readonly ApiEndpoint[] = [
  defineEndpoint({
    ...common,
    method: 'GET',
    summary: 'Get the organization of the token',
    handle: ({ caller, query, reader }) =>
      reader.get('organization', caller, caller.organizationId, parseExpandQuery('organization', query)),
  }),
  defineEndpoint({
    ...common,
    method: 'PATCH',
    summary: 'Edit the organization',
    body: editMetadataRequest,
    handle: respondWithRow('organization', (context, { body }) => editOrganization(context, body)),
  }),
];

export const scheduleEndpoints = crudEndpoints(
  {
    type: 'schedule',
    tag: 'Schedules',
    path: '/schedules',
    singular: 'a schedule',
    plural: 'schedules',
    response: scheduleResponse,
  },
  {
    create: { body: createScheduleRequest, write: (context, { body }) => createSchedule(context, body) },
    edit: { body: editScheduleRequest, write: (context, { id, body }) => editSchedule(context, id, body) },
    remove: { write: (context, { id }) => deleteSchedule(context, id) },
  },
);

export const cardEndpoints = crudEndpoints(
  { type: 'card', tag: 'Cards', path: '/cards', singular: 'a card', plural: 'cards', response: cardResponse },
  {
    create: { body: createCardRequest, write: (context, { body }) => createOrAssignCard(context, body) },
    edit: { body: editCardRequest, write: (context, { id, body }) => editCard(context, id, body) },
    remove: { write: (context, { id }) => deleteCard(context, id) },
  },
);

export const tagEndpoints = crudEndpoints(
  { type: 'tag', tag: 'Tags', path: '/tags', singular: 'a tag', plural: 'tags', response: tagResponse },
  {
    create: { body: createTagRequest, write: (context, { body }) => createTag(context, body) },
    edit: { body: editTagRequest, write: (context, { id, body }) => editTag(context, id, body) },
    remove: { write: (context, { id }) => deleteTag(context, id) },
  },
);

export const eventEndpoints = crudEndpoints({
  type: 'event',
  tag: 'Events',
  path: '/events',
  singular: 'an event',
  plural: 'events',
  response: eventResponse,
});
