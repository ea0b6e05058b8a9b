import {
  inputRulesResponseSchema,
  copyInputRulesResponseSchema,
  copyInputRulesRequestSchema,
  editInputRulesRequestSchema,
} from '@lintel/wire-protocol/admin/device-input-rules';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { createInvalidFieldError } from '../../http/api-error.ts';
import { copyInputRules, toInputRulesResponse, replaceInputRules } from '../../resources/input-rules.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { canAccessSite, requireAccessibleDevice, requireAccessibleDeviceReference } from '../site-access.ts';

/**
 * A technician can add rules only for gadgets at assigned sites. Existing rules for other gadgets remain valid, because
 * all rules are written together.
 */
const requireAccessibleGadgets = async (
  { db, organizationId }: WriteContext,
  caller: AdminCaller,
  { input_rules }: DeviceRow,
  rules: readonly unknown[],
): Promise<void> => {
  if (caller.siteIds === null) return;
  for (const [index, rule] of rules.entries()) {
    const id = (rule as { gadget_id?: unknown } | null)?.gadget_id;
    if (typeof id !== 'string' || input_rules.includes(JSON.stringify(id))) continue;
    const gadget = await db
      .selectFrom('gadgets')
      .select('site_id')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (gadget === undefined || canAccessSite(caller, gadget.site_id)) continue;
    const field = `input_rules.${index}.gadget_id`;
    throw createInvalidFieldError(field, `${field}: unknown gadget`);
  }
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
        return { data: (await copyInputRules(context, source, targets, own_gadgets)).map(toInputRulesResponse) };
      }),
  }),
];
