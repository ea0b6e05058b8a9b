import { createHash } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import type { InputRulesAnswer, InputRulesCopy, InputRulesEdit } from '@lintel/wire-protocol/admin/device';
import { ApiError, invalid } from '../http/api-error.ts';
import type { DeviceRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { livingGadgetsOf } from './device-constraints.ts';
import { editDevice } from './devices.ts';

type RuleHolder = Pick<DeviceRow, 'id' | 'input_rules'>;

const rulesOf = ({ input_rules }: RuleHolder): InputRule[] => JSON.parse(input_rules) as InputRule[];

const baseOf = ({ input_rules }: RuleHolder): string =>
  createHash('sha256').update(input_rules).digest('base64url').slice(0, 22);

export const inputRulesAnswerOf = (device: RuleHolder): InputRulesAnswer => ({
  device_id: device.id as InputRulesAnswer['device_id'],
  input_rules: rulesOf(device),
  base: baseOf(device),
});

export const replaceInputRules = (
  context: WriteContext,
  device: DeviceRow,
  { input_rules, base }: InputRulesEdit,
): Promise<DeviceRow> => {
  if (base !== undefined && base !== baseOf(device)) {
    throw invalid('base', 'The input rules have changed since they were read: read them again');
  }
  return editDevice(context, device.id, { input_rules });
};

/** From gadgets of the one device to those of the other, by their place in the order of creation. */
const counterparts = async (
  context: WriteContext,
  source: DeviceRow,
  target: DeviceRow,
): Promise<ReadonlyMap<string, string | undefined>> => {
  const [from, to] = [await livingGadgetsOf(context, source.id), await livingGadgetsOf(context, target.id)];
  return new Map(from.map(({ id }, index) => [id, to[index]?.id]));
};

/** Rules of the one device as the other shall have them. */
export const rulesForTarget = async (
  context: WriteContext,
  source: DeviceRow,
  target: DeviceRow,
  rules: readonly InputRule[],
  ownGadgets: InputRulesCopy['own_gadgets'],
): Promise<InputRule[]> => {
  if (ownGadgets === 'keep') return [...rules];
  const gadgets = await counterparts(context, source, target);
  return rules.map(rule => {
    if (!gadgets.has(rule.gadget_id)) return rule;
    const gadget_id = gadgets.get(rule.gadget_id);
    if (gadget_id === undefined) throw invalid('own_gadgets', `it has no gadget in the place of ${rule.gadget_id}`);
    return { ...rule, gadget_id: gadget_id as InputRule['gadget_id'] };
  });
};

/** Of several targets, says which one it was. */
const namingTarget = async <T>(index: number, id: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'invalid_request') throw error;
    throw invalid(`device_ids.${index}`, `Device ${id}: ${error.message}`, { device_id: id });
  }
};

/** All targets or none: the first that refuses takes back what the others have got. */
export const copyInputRules = async (
  context: WriteContext,
  source: DeviceRow,
  targets: readonly DeviceRow[],
  ownGadgets: InputRulesCopy['own_gadgets'],
): Promise<DeviceRow[]> => {
  const written: DeviceRow[] = [];
  for (const [index, target] of targets.entries()) {
    const edited = await namingTarget(index, target.id, async () => {
      const rules = await rulesForTarget(context, source, target, rulesOf(source), ownGadgets);
      return editDevice(context, target.id, { input_rules: rules });
    });
    written.push(edited);
  }
  return written;
};
