import { inputRulesAnswer, inputRulesCopied, inputRulesCopy, inputRulesEdit } from '@lintel/wire-protocol/admin/device';
import { writeFor } from '../../api/endpoint.ts';
import { invalid } from '../../http/api-error.ts';
import { copyInputRules, inputRulesAnswerOf, replaceInputRules } from '../../resources/input-rules.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import type { WriteContext } from '../../transactions/writer.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { isOwnSite, requireOwnDevice, requireOwnDeviceReference } from '../own-sites.ts';

/**
 * A technician points rules at gadgets of the own sites. What somebody else has pointed beyond them stays possible, since
 * all rules are written together.
 */
const requireOwnDestinations = async (
  { db, organizationId }: WriteContext,
  caller: AdminCaller,
  { input_rules }: DeviceRow,
  given: readonly unknown[],
): Promise<void> => {
  if (caller.siteIds === null) return;
  for (const [index, rule] of given.entries()) {
    const id = (rule as { gadget_id?: unknown } | null)?.gadget_id;
    if (typeof id !== 'string' || input_rules.includes(JSON.stringify(id))) continue;
    const gadget = await db
      .selectFrom('gadgets')
      .select('site_id')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (gadget === undefined || isOwnSite(caller, gadget.site_id)) continue;
    const field = `input_rules.${index}.gadget_id`;
    throw invalid(field, `${field} there is no such gadget`);
  }
};

const path = `${ORGANIZATION}/devices/:device_id/input_rules`;
const common = { path, tag: 'Input rules', answer: inputRulesAnswer } as const;

export const inputRuleEndpoints: readonly AdminEndpoint[] = [
  adminEndpoint({
    ...common,
    needs: 'input_rules.read',
    method: 'GET',
    summary: 'Get the input rules of a device',
    handle: async ({ caller, reader, params: { device_id = '' } }) => {
      const { input_rules } = await reader.get('device', caller, device_id);
      return inputRulesAnswerOf({ id: device_id, input_rules: JSON.stringify(input_rules) });
    },
  }),
  adminEndpoint({
    ...common,
    needs: 'input_rules.write',
    method: 'PUT',
    summary: 'Replace the input rules of a device',
    body: inputRulesEdit,
    handle: call =>
      writeFor(call, async context => {
        const {
          caller,
          params: { device_id = '' },
          body,
        } = call;
        const device = await requireOwnDevice(context, caller, device_id);
        await requireOwnDestinations(context, caller, device, body.input_rules);
        return inputRulesAnswerOf(await replaceInputRules(context, device, body));
      }),
  }),
  adminEndpoint({
    ...common,
    needs: 'input_rules.write',
    method: 'POST',
    path: `${path}/copy`,
    summary: 'Copy the input rules of a device to others: to all of them or to none',
    body: inputRulesCopy,
    answer: inputRulesCopied,
    handle: call =>
      writeFor(call, async context => {
        const {
          caller,
          params: { device_id = '' },
          body: { device_ids, own_gadgets },
        } = call;
        const source = await requireOwnDevice(context, caller, device_id);
        const targets: DeviceRow[] = [];
        for (const [index, id] of device_ids.entries()) {
          targets.push(await requireOwnDeviceReference(context, caller, `device_ids.${index}`, id));
        }
        return { data: (await copyInputRules(context, source, targets, own_gadgets)).map(inputRulesAnswerOf) };
      }),
  }),
];
