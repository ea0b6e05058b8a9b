import { deviceDescriptionEdit, deviceReplacement, gadgetOfDeviceCreate } from '@lintel/wire-protocol/admin/device';
import { deviceAnswer, deviceCreate } from '@lintel/wire-protocol/rest/device';
import { gadgetAnswer, gadgetEdit } from '@lintel/wire-protocol/rest/gadget';
import { productAnswer } from '@lintel/wire-protocol/rest/product';
import { siteAnswer, siteCreate, siteEdit } from '@lintel/wire-protocol/rest/site';
import { replaceDeviceHardware } from '../../resources/device-replacement.ts';
import { createDevice, deleteDevice, editDevice } from '../../resources/devices.ts';
import { createGadget, deleteGadget, editGadget } from '../../resources/gadgets.ts';
import { createSite, deleteSite, editSite } from '../../resources/sites.ts';
import { adminCrud, ORGANIZATION, requirePermission } from '../admin-endpoint.ts';
import { requireOwnDevice } from '../own-sites.ts';

export const siteEndpoints = requirePermission(
  adminCrud(
    { type: 'site', tag: 'Sites', path: `${ORGANIZATION}/sites`, one: 'a site', many: 'sites', answer: siteAnswer },
    {
      create: { body: siteCreate, write: (context, { body }) => createSite(context, body) },
      edit: { body: siteEdit, write: (context, { id, body }) => editSite(context, id, body) },
      remove: { write: (context, { id }) => deleteSite(context, id) },
    },
  ),
  ({ method }) => (method === 'GET' ? 'sites.read' : 'sites.write'),
);

export const productEndpoints = requirePermission(
  adminCrud({
    type: 'product',
    tag: 'Devices',
    path: `${ORGANIZATION}/products`,
    one: 'a product',
    many: 'products',
    answer: productAnswer,
  }),
  () => 'products.read',
);

export const deviceEndpoints = requirePermission(
  adminCrud(
    {
      type: 'device',
      tag: 'Devices',
      path: `${ORGANIZATION}/devices`,
      one: 'a device',
      many: 'devices',
      answer: deviceAnswer,
    },
    {
      create: {
        body: deviceCreate,
        summary: 'Create a device with its gadgets',
        write: async (context, { body }) => (await createDevice(context, body)).device,
      },
      edit: {
        body: deviceDescriptionEdit,
        write: async (context, { id, body, caller }) => {
          await requireOwnDevice(context, caller, id);
          return editDevice(context, id, body);
        },
      },
      remove: { write: (context, { id }) => deleteDevice(context, id) },
      action: {
        name: 'replace',
        body: deviceReplacement,
        summary: 'Put new hardware in the place of the old; the device keeps its id, its gadgets and its rules',
        write: async (context, { id, body, caller }) =>
          replaceDeviceHardware(context, await requireOwnDevice(context, caller, id), body),
      },
    },
  ),
  ({ method, path }) => {
    if (method === 'GET') return 'devices.read';
    return method === 'PATCH' || path.endsWith('/replace') ? 'devices.edit' : 'devices.write';
  },
);

export const gadgetEndpoints = requirePermission(
  adminCrud(
    {
      type: 'gadget',
      tag: 'Gadgets',
      path: `${ORGANIZATION}/gadgets`,
      one: 'a gadget',
      many: 'gadgets',
      answer: gadgetAnswer,
    },
    {
      create: {
        body: gadgetOfDeviceCreate,
        summary: 'Add a gadget to a device',
        write: (context, { body: { device_id, ...body } }) => createGadget(context, device_id, body),
      },
      edit: { body: gadgetEdit, write: (context, { id, body }) => editGadget(context, id, body) },
      remove: { write: (context, { id }) => deleteGadget(context, id) },
    },
  ),
  ({ method }) => (method === 'GET' ? 'gadgets.read' : 'gadgets.write'),
);
