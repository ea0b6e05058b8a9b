import {
  inputRulesResponseSchema,
  copyInputRulesResponseSchema,
  copyInputRulesRequestSchema,
  editInputRulesRequestSchema,
} from '@lintel/wire-protocol/admin/device-input-rules';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { createInvalidFieldError } from '../../http/api-error.ts';
import {
  copyInputRules,
  findRuleOutsideSites,
  parseInputRules,
  replaceInputRules,
  toInputRulesResponse,
} from '../../resources/input-rules.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { requireAccessibleDevice, requireAccessibleDeviceReference } from '../site-access.ts';

/**
 * A technician may add, change and remove rules for gadgets at assigned sites. Rules for other gadgets must stay as they
 * are, because all rules are written together.
 */
const requireAccessibleGadgets = async (
  context: WriteContext,
  caller: AdminCaller,
  device: DeviceRow,
  rules: readonly unknown[],
): Promise<void> => {
  if (caller.siteIds === null) return;
  const inaccessible = await findRuleOutsideSites(context, caller.siteIds, parseInputRules(device), rules);
  if (inaccessible === null) return;
  const field = inaccessible.index === null ? 'input_rules' : `input_rules.${inaccessible.index}.gadget_id`;
  throw createInvalidFieldError(
    field,
    inaccessible.index === null
      ? 'must keep the rules for gadgets of sites that you cannot access'
      : 'refers to a gadget that does not exist',
  );
};

const path = `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/input_rules`;
const common = { path, tag: 'Input rules', response: inputRulesResponseSchema } as const;

export const inputRuleEndpoints: readonly AdminEndpoint[] = [
  defineAdminEndpoint({
    ...common,
    requiredPermission: 'input_rules.read',
    method: 'GET',
    operationId: 'getDeviceInputRules',
    summary: 'Get the input rules of a device',
    handle: async ({ caller, reader, params: { device_id = '' } }) => {
      const { input_rules } = await reader.get('device', caller, device_id);
      return toInputRulesResponse({ id: device_id, input_rules: JSON.stringify(input_rules) });
    },
  }),
  defineAdminEndpoint({
    ...common,
    requiredPermission: 'input_rules.write',
    method: 'PUT',
    operationId: 'replaceDeviceInputRules',
    summary: 'Replace the input rules of a device',
    body: editInputRulesRequestSchema,
    handle: call =>
      writeAsCaller(call, async context => {
        const {
          caller,
          params: { device_id = '' },
          body,
        } = call;
        const device = await requireAccessibleDevice(context, caller, device_id);
        await requireAccessibleGadgets(context, caller, device, body.input_rules);
        return toInputRulesResponse(await replaceInputRules(context, device, body));
      }),
  }),
  defineAdminEndpoint({
    ...common,
    requiredPermission: 'input_rules.write',
    method: 'POST',
    path: `${path}/copy`,
    operationId: 'copyDeviceInputRules',
    summary: 'Copy the input rules of a device to other devices, to all of them or to none',
    body: copyInputRulesRequestSchema,
    response: copyInputRulesResponseSchema,
    handle: call =>
      writeAsCaller(call, async context => {
        const {
          caller,
          params: { device_id = '' },
          body: { device_ids, own_gadgets },
        } = call;
        const source = await requireAccessibleDevice(context, caller, device_id);
        const targets: DeviceRow[] = [];
        for (const [index, id] of device_ids.entries()) {
          targets.push(await requireAccessibleDeviceReference(context, caller, `device_ids.${index}`, id));
        }
        const copied = await copyInputRules(context, source, targets, own_gadgets, (target, rules) =>
          requireAccessibleGadgets(context, caller, target, rules),
        );
        return { data: copied.map(toInputRulesResponse) };
      }),
  }),
];
