import { cardResponseSchema, createCardRequestSchema, editCardRequestSchema } from '@lintel/wire-protocol/rest/card';
import { eventResponseSchema } from '@lintel/wire-protocol/rest/event';
import { editMetadataRequestSchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { organizationResponseSchema } from '@lintel/wire-protocol/rest/organization';
import {
  scheduleResponseSchema,
  createScheduleRequestSchema,
  editScheduleRequestSchema,
} from '@lintel/wire-protocol/rest/schedule';
import { tagResponseSchema, createTagRequestSchema, editTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import { createRowResponseHandler, createCrudEndpoints } from '../api/crud-endpoints.ts';
import { type ApiEndpoint, defineEndpoint } from '../api/define-endpoint.ts';
import { createForceQuery, isForced } from '../api/force-query.ts';
import { parseExpandQuery } from '../queries/resource-reader.ts';
import { createOrAssignCard, deleteCard, editCard } from '../resources/cards.ts';
import { editOrganization } from '../resources/organization.ts';
import { createSchedule, deleteSchedule, editSchedule } from '../resources/schedules.ts';
import { createTag, deleteTag, editTag } from '../resources/tags.ts';

const common = {
  tag: 'Organization',
  path: '/organization',
  response: organizationResponseSchema,
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
    body: editMetadataRequestSchema,
    handle: createRowResponseHandler('organization', (context, { body }) => editOrganization(context, body)),
  }),
];

export const scheduleEndpoints = createCrudEndpoints(
  {
    type: 'schedule',
    tag: 'Schedules',
    path: '/schedules',
    singular: 'a schedule',
    plural: 'schedules',
    response: scheduleResponseSchema,
  },
  {
    create: { body: createScheduleRequestSchema, write: (context, { body }) => createSchedule(context, body) },
    edit: { body: editScheduleRequestSchema, write: (context, { id, body }) => editSchedule(context, id, body) },
    remove: {
      query: createForceQuery('With true, also deletes the gadget triggers that use the schedule.'),
      write: (context, { id, query }) => deleteSchedule(context, id, { isForced: isForced(query) }),
    },
  },
);

export const cardEndpoints = createCrudEndpoints(
  { type: 'card', tag: 'Cards', path: '/cards', singular: 'a card', plural: 'cards', response: cardResponseSchema },
  {
    create: { body: createCardRequestSchema, write: (context, { body }) => createOrAssignCard(context, body) },
    edit: { body: editCardRequestSchema, write: (context, { id, body }) => editCard(context, id, body) },
    remove: { write: (context, { id }) => deleteCard(context, id) },
  },
);

export const tagEndpoints = createCrudEndpoints(
  { type: 'tag', tag: 'Tags', path: '/tags', singular: 'a tag', plural: 'tags', response: tagResponseSchema },
  {
    create: { body: createTagRequestSchema, write: (context, { body }) => createTag(context, body) },
    edit: { body: editTagRequestSchema, write: (context, { id, body }) => editTag(context, id, body) },
    remove: { write: (context, { id }) => deleteTag(context, id) },
  },
);

export const eventEndpoints = createCrudEndpoints({
  type: 'event',
  tag: 'Events',
  path: '/events',
  singular: 'an event',
  plural: 'events',
  response: eventResponseSchema,
});
