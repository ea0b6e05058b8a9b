import { deviceResponse } from '@lintel/wire-protocol/rest/device';
import { editMetadataAndTagsRequest } from '@lintel/wire-protocol/rest/metadata';
import { productResponse } from '@lintel/wire-protocol/rest/product';
import { siteResponse } from '@lintel/wire-protocol/rest/site';
import { crudEndpoints } from '../api/crud-endpoints.ts';
import { editDevice } from '../resources/devices.ts';
import { editSite } from '../resources/sites.ts';

export const siteEndpoints = crudEndpoints(
  { type: 'site', tag: 'Sites', path: '/sites', singular: 'a site', plural: 'sites', response: siteResponse },
  { edit: { body: editMetadataAndTagsRequest, write: (context, { id, body }) => editSite(context, id, body) } },
);

export const productEndpoints = crudEndpoints({
  type: 'product',
  tag: 'Devices',
  path: '/products',
  singular: 'a product',
  plural: 'products',
  response: productResponse,
});

export const deviceEndpoints = crudEndpoints(
  {
    type: 'device',
    tag: 'Devices',
    path: '/devices',
    singular: 'a device',
    plural: 'devices',
    response: deviceResponse,
  },
  { edit: { body: editMetadataAndTagsRequest, write: (context, { id, body }) => editDevice(context, id, body) } },
);
