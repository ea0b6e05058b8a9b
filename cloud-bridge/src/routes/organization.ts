import { metadataEdit } from '@lintel/wire-protocol/rest/metadata';
import { organizationAnswer } from '@lintel/wire-protocol/rest/organization';
import { actorOf } from '../http/caller.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { expandOf } from '../reading/reader.ts';
import { editOrganization } from '../resources/organization.ts';
import type { Services } from '../services.ts';
import { answering } from './answering.ts';

export const organizationEndpoints = (services: Services): Endpoint[] => {
  const { reader, writer } = services;
  const common = {
    tag: 'Organization',
    path: '/organization',
    answer: organizationAnswer,
    object: 'organization',
  } as const;
  return [
    endpoint({
      ...common,
      method: 'GET',
      summary: 'Get the organization of the token',
      handle: ({ caller, query }) =>
        reader.get('organization', caller, caller.organizationId, expandOf('organization', query)),
    }),
    endpoint({
      ...common,
      method: 'PATCH',
      summary: 'Edit the organization',
      body: metadataEdit,
      handle: answering(services, 'organization', ({ caller, body }) =>
        writer.write(caller.organizationId, actorOf(caller), context => editOrganization(context, body)),
      ),
    }),
  ];
};
