import { deviceDescriptionEdit, deviceReplacement, deviceGadgetCreate } from '@lintel/wire-protocol/admin/device';
import { deviceResponse, deviceCreate } from '@lintel/wire-protocol/rest/device';
import { gadgetResponse, gadgetEdit } from '@lintel/wire-protocol/rest/gadget';
import { productResponse } from '@lintel/wire-protocol/rest/product';
import { siteResponse, siteCreate, siteEdit } from '@lintel/wire-protocol/rest/site';
import { replaceDeviceHardware } from '../../resources/device-replacement.ts';
import { createDevice, deleteDevice, editDevice } from '../../resources/devices.ts';
import { createGadget, deleteGadget, editGadget } from '../../resources/gadgets.ts';
import { createSite, deleteSite, editSite } from '../../resources/sites.ts';
import { adminCrudEndpoints, ORGANIZATION_PATH, assignPermissions } from '../admin-endpoint.ts';
import { requireAccessibleDevice } from '../site-access.ts';

export const siteEndpoints = assignPermissions(
  adminCrudEndpoints(
    {
      type: 'site',
      tag: 'Sites',
      path: `${ORGANIZATION_PATH}/sites`,
      singular: 'a site',
      plural: 'sites',
      response: siteResponse,
    },
    {
      create: { body: siteCreate, write: (context, { body }) => createSite(context, body) },
      edit: { body: siteEdit, write: (context, { id, body }) => editSite(context, id, body) },
      remove: { write: (context, { id }) => deleteSite(context, id) },
    },
  ),
  ({ method }) => (method === 'GET' ? 'sites.read' : 'sites.write'),
);

export const productEndpoints = assignPermissions(
  adminCrudEndpoints({
    type: 'product',
    tag: 'Devices',
    path: `${ORGANIZATION_PATH}/products`,
    singular: 'a product',
    plural: 'products',
    response: productResponse,
  }),
  () => 'products.read',
);

export const deviceEndpoints = assignPermissions(
  adminCrudEndpoints(
    {
      type: 'device',
      tag: 'Devices',
      path: `${ORGANIZATION_PATH}/devices`,
      singular: 'a device',
      plural: 'devices',
      response: deviceResponse,
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
          await requireAccessibleDevice(context, caller, id);
          return editDevice(context, id, body);
        },
      },
      remove: { write: (context, { id }) => deleteDevice(context, id) },
      action: {
        name: 'replace',
        body: deviceReplacement,
        summary: 'Replace the hardware of a device, which keeps its id, gadgets and rules',
        write: async (context, { id, body, caller }) =>
          replaceDeviceHardware(context, await requireAccessibleDevice(context, caller, id), body),
      },
    },
  ),
  ({ method, path }) => {
    if (method === 'GET') return 'devices.read';
    return method === 'PATCH' || path.endsWith('/replace') ? 'devices.edit' : 'devices.write';
  },
);

export const gadgetEndpoints = assignPermissions(
  adminCrudEndpoints(
    {
      type: 'gadget',
      tag: 'Gadgets',
      path: `${ORGANIZATION_PATH}/gadgets`,
      singular: 'a gadget',
      plural: 'gadgets',
      response: gadgetResponse,
    },
    {
      create: {
        body: deviceGadgetCreate,
        summary: 'Add a gadget to a device',
        write: (context, { body: { device_id, ...body } }) => createGadget(context, device_id, body),
      },
      edit: { body: gadgetEdit, write: (context, { id, body }) => editGadget(context, id, body) },
      remove: { write: (context, { id }) => deleteGadget(context, id) },
    },
  ),
  ({ method }) => (method === 'GET' ? 'gadgets.read' : 'gadgets.write'),
);
