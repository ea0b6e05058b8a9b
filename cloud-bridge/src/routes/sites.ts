import { metadataAndTagsEdit } from '@lintel/wire-protocol/rest/metadata';
import { siteAnswer } from '@lintel/wire-protocol/rest/site';
import type { Endpoint } from '../http/endpoint.ts';
import { editSite } from '../resources/sites.ts';
import type { Services } from '../services.ts';
import { crud } from './crud.ts';

export const siteEndpoints = (services: Services): Endpoint[] => {
  const { list, get, edit } = crud(services, {
    type: 'site',
    tag: 'Sites',
    path: '/sites',
    one: 'a site',
    many: 'sites',
    answer: siteAnswer,
  });
  return [
    list(),
    get(),
    edit({ body: metadataAndTagsEdit, write: (context, { id, body }) => editSite(context, id, body) }),
  ];
};
