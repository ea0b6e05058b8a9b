import { deviceResponseSchema } from '@lintel/wire-protocol/rest/device';
import { editMetadataAndTagsRequestSchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { productResponseSchema } from '@lintel/wire-protocol/rest/product';
import { siteResponseSchema } from '@lintel/wire-protocol/rest/site';
import { createCrudEndpoints } from '../api/crud-endpoints.ts';
import { editDevice } from '../resources/devices.ts';
import { editSite } from '../resources/sites.ts';

export const siteEndpoints = createCrudEndpoints(
  { type: 'site', tag: 'Sites', path: '/sites', singular: 'a site', plural: 'sites', response: siteResponseSchema },
  { edit: { body: editMetadataAndTagsRequestSchema, write: (context, { id, body }) => editSite(context, id, body) } },
);

export const productEndpoints = createCrudEndpoints({
  type: 'product',
  tag: 'Devices',
  path: '/products',
  singular: 'a product',
  plural: 'products',
  response: productResponseSchema,
});

export const deviceEndpoints = createCrudEndpoints(
  {
    type: 'device',
    tag: 'Devices',
    path: '/devices',
    singular: 'a device',
    plural: 'devices',
    response: deviceResponseSchema,
  },
  { edit: { body: editMetadataAndTagsRequestSchema, write: (context, { id, body }) => editDevice(context, id, body) } },
);
