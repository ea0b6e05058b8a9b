import { deviceAnswer } from '@lintel/wire-protocol/rest/device';
import { metadataAndTagsEdit } from '@lintel/wire-protocol/rest/metadata';
import { productAnswer } from '@lintel/wire-protocol/rest/product';
import { siteAnswer } from '@lintel/wire-protocol/rest/site';
import { crud } from '../api/crud.ts';
import { editDevice } from '../resources/devices.ts';
import { editSite } from '../resources/sites.ts';

export const siteEndpoints = crud(
  { type: 'site', tag: 'Sites', path: '/sites', one: 'a site', many: 'sites', answer: siteAnswer },
  { edit: { body: metadataAndTagsEdit, write: (context, { id, body }) => editSite(context, id, body) } },
);

export const productEndpoints = crud({
  type: 'product',
  tag: 'Devices',
  path: '/products',
  one: 'a product',
  many: 'products',
  answer: productAnswer,
});

export const deviceEndpoints = crud(
  { type: 'device', tag: 'Devices', path: '/devices', one: 'a device', many: 'devices', answer: deviceAnswer },
  { edit: { body: metadataAndTagsEdit, write: (context, { id, body }) => editDevice(context, id, body) } },
);
