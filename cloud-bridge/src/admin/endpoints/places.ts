import { deviceDescriptionEdit, deviceReplacement, gadgetOfDeviceCreate } from '@lintel/wire-protocol/admin/device';
import { deviceAnswer, deviceCreate } from '@lintel/wire-protocol/rest/device';
import { gadgetAnswer, gadgetEdit } from '@lintel/wire-protocol/rest/gadget';
import { productAnswer } from '@lintel/wire-protocol/rest/product';
import { siteAnswer, siteCreate, siteEdit } from '@lintel/wire-protocol/rest/site';
import { replaceDeviceHardware } from '../../resources/device-replacement.ts';
import { createDevice, deleteDevice, editDevice } from '../../resources/devices.ts';
import { createGadget, deleteGadget, editGadget } from '../../resources/gadgets.ts';
import { createSite, deleteSite, editSite } from '../../resources/sites.ts';
import { crud } from '../../routes/crud.ts';
import type { Services } from '../../services.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { type AdminEndpoint, needing, ORGANIZATION } from '../admin-endpoint.ts';
import { requireOwnDevice } from '../own-sites.ts';

export const siteEndpoints = (services: Services): AdminEndpoint[] => {
  const { list, get, create, edit, remove } = crud<AdminCaller>(services, {
    type: 'site',
    tag: 'Sites',
    path: `${ORGANIZATION}/sites`,
    one: 'a site',
    many: 'sites',
    answer: siteAnswer,
  });
  return [
    needing('sites.read', list()),
    needing('sites.read', get()),
    needing('sites.write', create({ body: siteCreate, write: (context, { body }) => createSite(context, body) })),
    needing('sites.write', edit({ body: siteEdit, write: (context, { id, body }) => editSite(context, id, body) })),
    needing('sites.write', remove({ write: (context, { id }) => deleteSite(context, id) })),
  ];
};

export const productEndpoints = (services: Services): AdminEndpoint[] => {
  const { list, get } = crud<AdminCaller>(services, {
    type: 'product',
    tag: 'Devices',
    path: `${ORGANIZATION}/products`,
    one: 'a product',
    many: 'products',
    answer: productAnswer,
  });
  return [needing('products.read', list()), needing('products.read', get())];
};

export const deviceEndpoints = (services: Services): AdminEndpoint[] => {
  const { list, get, create, edit, remove, act } = crud<AdminCaller>(services, {
    type: 'device',
    tag: 'Devices',
    path: `${ORGANIZATION}/devices`,
    one: 'a device',
    many: 'devices',
    answer: deviceAnswer,
  });
  return [
    needing('devices.read', list()),
    needing('devices.read', get()),
    needing(
      'devices.write',
      create({
        body: deviceCreate,
        summary: 'Create a device with its gadgets',
        write: async (context, { body }) => (await createDevice(context, body)).device,
      }),
    ),
    needing(
      'devices.edit',
      edit({
        body: deviceDescriptionEdit,
        write: async (context, { id, body, caller }) => {
          await requireOwnDevice(context, caller, id);
          return editDevice(context, id, body);
        },
      }),
    ),
    needing('devices.write', remove({ write: (context, { id }) => deleteDevice(context, id) })),
    needing(
      'devices.edit',
      act('replace', {
        body: deviceReplacement,
        summary: 'Put new hardware in the place of the old; the device keeps its id, its gadgets and its rules',
        write: async (context, { id, body, caller }) =>
          replaceDeviceHardware(context, await requireOwnDevice(context, caller, id), body),
      }),
    ),
  ];
};

export const gadgetEndpoints = (services: Services): AdminEndpoint[] => {
  const { list, get, create, edit, remove } = crud<AdminCaller>(services, {
    type: 'gadget',
    tag: 'Gadgets',
    path: `${ORGANIZATION}/gadgets`,
    one: 'a gadget',
    many: 'gadgets',
    answer: gadgetAnswer,
  });
  return [
    needing('gadgets.read', list()),
    needing('gadgets.read', get()),
    needing(
      'gadgets.write',
      create({
        body: gadgetOfDeviceCreate,
        summary: 'Add a gadget to a device',
        write: (context, { body: { device_id, ...body } }) => createGadget(context, device_id, body),
      }),
    ),
    needing(
      'gadgets.write',
      edit({ body: gadgetEdit, write: (context, { id, body }) => editGadget(context, id, body) }),
    ),
    needing('gadgets.write', remove({ write: (context, { id }) => deleteGadget(context, id) })),
  ];
};
