import {
  editDeviceNameAndTagsRequestSchema,
  replaceDeviceHardwareRequestSchema,
  createDeviceGadgetRequestSchema,
} from '@lintel/wire-protocol/admin/device-edits';
import {
  virtualKeypadEntryRequestSchema,
  virtualKeypadEntryResponseSchema,
} from '@lintel/wire-protocol/admin/virtual-keypad';
import { deviceResponseSchema, createDeviceRequestSchema } from '@lintel/wire-protocol/rest/device';
import { gadgetResponseSchema, editGadgetRequestSchema } from '@lintel/wire-protocol/rest/gadget';
import { emptyBodySchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { productResponseSchema } from '@lintel/wire-protocol/rest/product';
import { siteResponseSchema, createSiteRequestSchema, editSiteRequestSchema } from '@lintel/wire-protocol/rest/site';
import { typeAtVirtualKeypad } from '../../actions/virtual-keypad.ts';
import { recordVirtualGadgetSignal, recordVirtualGadgetState } from '../../automation/virtual-gadgets.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { createForceQuery, isForced } from '../../api/force-query.ts';
import { ApiError } from '../../http/api-error.ts';
import { roleAllows } from '../../accounts/role-permissions.ts';
import { hasConfirmedController } from '../../resources/controller-confirmation.ts';
import { requireClaimedHardware } from '../../resources/device-certificates.ts';
import { replaceDeviceHardware } from '../../resources/replace-device-hardware.ts';
import { createDevice, deleteDevice, editDevice } from '../../resources/devices.ts';
import { requireVirtualDevice } from '../../resources/gateway-and-virtual-devices.ts';
import { createGadget, deleteGadget, editGadget } from '../../resources/gadgets.ts';
import { createSite, deleteSite, editSite } from '../../resources/sites.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { AdminCaller } from '../admin-caller.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { requireActiveRow, requireReferencedRow } from '../../transactions/row-operations.ts';
import {
  type AdminEndpoint,
  createAdminCrudEndpoints,
  defineAdminEndpoint,
  ORGANIZATION_PATH_PREFIX,
  assignRequiredPermissions,
} from '../admin-endpoint.ts';
import { requireAccessibleDevice } from '../site-access.ts';

const forceQuery = createForceQuery(
  'With true, also removes the input rules and gadget triggers that use what is removed.',
);

export const adminSiteEndpoints = assignRequiredPermissions(
  createAdminCrudEndpoints(
    {
      type: 'site',
      tag: 'Sites',
      path: `${ORGANIZATION_PATH_PREFIX}/sites`,
      singular: 'a site',
      plural: 'sites',
      response: siteResponseSchema,
    },
    {
      create: { body: createSiteRequestSchema, write: (context, { body }) => createSite(context, body) },
      edit: { body: editSiteRequestSchema, write: (context, { id, body }) => editSite(context, id, body) },
      remove: {
        query: createForceQuery(
          'With true, also deletes the devices of the site, their gadgets, and the input rules and triggers that use these.',
        ),
        write: (context, { id, query }) => deleteSite(context, id, { isForced: isForced(query) }),
      },
    },
  ),
  ({ method }) => (method === 'GET' ? 'sites.read' : 'sites.write'),
);

export const adminProductEndpoints = assignRequiredPermissions(
  createAdminCrudEndpoints({
    type: 'product',
    tag: 'Devices',
    path: `${ORGANIZATION_PATH_PREFIX}/products`,
    singular: 'a product',
    plural: 'products',
    response: productResponseSchema,
  }),
  () => 'products.read',
);

/** A replacement takes the door from the people who use it. */
const requirePermissionToReplace = async (context: WriteContext, { role }: AdminCaller, id: string): Promise<void> => {
  if (roleAllows(role, 'devices.confirm') || !(await hasConfirmedController(context, id))) return;
  throw new ApiError(
    'forbidden',
    `The role ${role} cannot replace a controller in use. Claim the new one with a ticket`,
  );
};

export const adminDeviceEndpoints = assignRequiredPermissions(
  createAdminCrudEndpoints(
    {
      type: 'device',
      tag: 'Devices',
      path: `${ORGANIZATION_PATH_PREFIX}/devices`,
      singular: 'a device',
      plural: 'devices',
      response: deviceResponseSchema,
    },
    {
      create: {
        body: createDeviceRequestSchema,
        summary: 'Create a device with its gadgets',
        write: async (context, { body }) => {
          await requireClaimedHardware(context, body.hardware_id);
          for (const [index, { state_id }] of body.gadgets.entries()) {
            const device = { hardware_id: body.hardware_id ?? null };
            if (state_id != null) requireVirtualDevice(device, `gadgets.${index}.state_id`);
          }
          return (await createDevice(context, body)).device;
        },
      },
      edit: {
        body: editDeviceNameAndTagsRequestSchema,
        write: async (context, { id, body, caller }) => {
          await requireAccessibleDevice(context, caller, id);
          return editDevice(context, id, body);
        },
      },
      remove: {
        query: forceQuery,
        write: (context, { id, query }) => deleteDevice(context, id, { isForced: isForced(query) }),
      },
      action: {
        name: 'replace',
        body: replaceDeviceHardwareRequestSchema,
        operationId: 'replaceDevice',
        summary: 'Replace the hardware of a device, which keeps its id, gadgets and rules',
        write: async (context, { id, body, caller }) => {
          const device = await requireAccessibleDevice(context, caller, id);
          if (body.hardware_id !== device.hardware_id) await requireClaimedHardware(context, body.hardware_id);
          await requirePermissionToReplace(context, caller, id);
          return replaceDeviceHardware(context, device, body);
        },
      },
    },
  ),
  ({ method, path }) => {
    if (method === 'GET') return 'devices.read';
    // Other hardware gets the trust of the device, as with a claim.
    if (path.endsWith('/replace')) return 'claim_tickets.write';
    return method === 'PATCH' ? 'devices.edit' : 'devices.write';
  },
);

export const adminGadgetEndpoints = assignRequiredPermissions(
  createAdminCrudEndpoints(
    {
      type: 'gadget',
      tag: 'Gadgets',
      path: `${ORGANIZATION_PATH_PREFIX}/gadgets`,
      singular: 'a gadget',
      plural: 'gadgets',
      response: gadgetResponseSchema,
    },
    {
      create: {
        body: createDeviceGadgetRequestSchema,
        summary: 'Add a gadget to a device',
        write: async (context, { body: { device_id, ...body } }) => {
          const device = await requireReferencedRow(context, 'devices', 'device_id', device_id);
          if (body.state_id != null) requireVirtualDevice(device, 'state_id');
          return createGadget(context, device_id, body);
        },
      },
      edit: {
        body: editGadgetRequestSchema,
        query: forceQuery,
        write: async (context, { id, body, query }) => {
          const { state_id, ...definition } = body;
          if (typeof state_id !== 'string') return editGadget(context, id, body, { isForced: isForced(query) });
          await editGadget(context, id, definition, { isForced: isForced(query) });
          await recordVirtualGadgetState(context, id, state_id);
          return requireActiveRow(context, 'gadgets', 'gadget', id);
        },
      },
      remove: {
        query: forceQuery,
        write: (context, { id, query }) => deleteGadget(context, id, { isForced: isForced(query) }),
      },
    },
  ),
  ({ method }) => (method === 'GET' ? 'gadgets.read' : 'gadgets.write'),
);

export const gadgetSignalEndpoint = defineAdminEndpoint({
  method: 'POST',
  path: `${ORGANIZATION_PATH_PREFIX}/gadgets/:gadget_id/signals/:signal_id`,
  tag: 'Gadgets',
  operationId: 'reportGadgetSignal',
  summary: 'Report a signal of a virtual gadget',
  body: emptyBodySchema,
  response: emptyBodySchema,
  requiredPermission: 'gadgets.write',
  handle: async call => {
    const { gadget_id, signal_id } = call.params;
    await writeAsCaller(call, context => recordVirtualGadgetSignal(context, gadget_id!, signal_id!));
    return {};
  },
});

export const createVirtualKeypadEndpoint = ({ storage }: BridgeServices): AdminEndpoint =>
  defineAdminEndpoint({
    method: 'POST',
    path: `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/keypad`,
    tag: 'Devices',
    operationId: 'typeAtVirtualKeypad',
    summary: 'Type keys at the keypad of a virtual device, which decides and acts as a controller does',
    body: virtualKeypadEntryRequestSchema,
    response: virtualKeypadEntryResponseSchema,
    requiredPermission: 'gadgets.write',
    handle: call =>
      writeAsCaller(call, context => typeAtVirtualKeypad(storage, context, call.params['device_id']!, call.body.keys)),
  });
