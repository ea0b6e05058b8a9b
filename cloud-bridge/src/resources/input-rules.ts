import { createHash } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import type {
  InputRulesResponse,
  CopyInputRulesRequest,
  EditInputRulesRequest,
} from '@lintel/wire-protocol/admin/device-input-rules';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import type { DeviceRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { listActiveGadgetsOfDevice } from './read-gadget-rows.ts';
import { editDevice } from './devices.ts';

type RuleHolder = Pick<DeviceRow, 'id' | 'input_rules'>;

export const parseInputRules = ({ input_rules }: Pick<DeviceRow, 'input_rules'>): InputRule[] =>
  JSON.parse(input_rules) as InputRule[];

const baseOf = ({ input_rules }: RuleHolder): string =>
  createHash('sha256').update(input_rules).digest('base64url').slice(0, 22);

export const toInputRulesResponse = (device: RuleHolder): InputRulesResponse => ({
  device_id: device.id as InputRulesResponse['device_id'],
  input_rules: parseInputRules(device),
  base: baseOf(device),
});

/** Rules are compared as a whole: another code or action for the same gadget is another rule. */
const keyOfRule = (rule: unknown): string => {
  const { code, gadget_id, action_id } = (rule ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify([code, gadget_id, action_id]);
};

/** Whether both have the same rules for the gadgets that are not named by `isInside`. */
export const hasSameRulesOutside = (
  current: readonly InputRule[],
  edited: readonly InputRule[],
  isInside: (gadgetId: string) => boolean,
): boolean => {
  const outside = (rules: readonly InputRule[]): string =>
    JSON.stringify(
      rules
        .filter(({ gadget_id }) => !isInside(gadget_id))
        .map(keyOfRule)
        .toSorted(),
    );
  return outside(current) === outside(edited);
};

/**
 * The first rule for a gadget outside the sites that the edit would add or change, by its index, or remove (null); null
 * if there is none. Unknown gadgets are left to the validation of the rules.
 */
export const findRuleOutsideSites = async (
  { db, organizationId }: Pick<WriteContext, 'db' | 'organizationId'>,
  siteIds: readonly string[],
  current: readonly InputRule[],
  edited: readonly unknown[],
): Promise<{ readonly index: number | null } | null> => {
  const gadgetIdOf = (rule: unknown): unknown => (rule as { gadget_id?: unknown } | null)?.gadget_id;
  const ids = [...new Set([...current, ...edited].map(gadgetIdOf))].filter(id => typeof id === 'string');
  if (ids.length === 0) return null;
  const gadgets = await db
    .selectFrom('gadgets')
    .select(['id', 'site_id'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
  const outside = new Set<unknown>(gadgets.filter(({ site_id }) => !siteIds.includes(site_id)).map(({ id }) => id));
  const [currentKeys, editedKeys] = [new Set(current.map(keyOfRule)), new Set(edited.map(keyOfRule))];
  const index = edited.findIndex(rule => outside.has(gadgetIdOf(rule)) && !currentKeys.has(keyOfRule(rule)));
  if (index >= 0) return { index };
  const isOneRemoved = current.some(rule => outside.has(rule.gadget_id) && !editedKeys.has(keyOfRule(rule)));
  return isOneRemoved ? { index: null } : null;
};

export const replaceInputRules = (
  context: WriteContext,
  device: DeviceRow,
  { input_rules, base }: EditInputRulesRequest,
): Promise<DeviceRow> => {
  if (base !== undefined && base !== baseOf(device)) {
    throw createInvalidFieldError(
      'base',
      'is outdated: the input rules have changed since they were read. Read them again',
    );
  }
  return editDevice(context, device.id, { input_rules });
};

/** Maps the gadgets of the source to those of the target with the same name. A name that is not unique maps to nothing. */
const matchGadgetsByName = async (
  context: WriteContext,
  source: DeviceRow,
  target: DeviceRow,
): Promise<ReadonlyMap<string, { readonly name: string; readonly target: string | undefined }>> => {
  const [from, to] = [
    await listActiveGadgetsOfDevice(context, source.id),
    await listActiveGadgetsOfDevice(context, target.id),
  ];
  return new Map(
    from.map(({ id, name }) => {
      const matches = to.filter(gadget => gadget.name === name);
      return [id, { name, target: matches.length === 1 ? matches[0]!.id : undefined }];
    }),
  );
};

/** Converts the rules of the source for the target. `keep` leaves the gadgets unchanged. */
const inputRulesForTarget = async (
  context: WriteContext,
  source: DeviceRow,
  target: DeviceRow,
  rules: readonly InputRule[],
  ownGadgets: CopyInputRulesRequest['own_gadgets'],
): Promise<InputRule[]> => {
  if (ownGadgets === 'keep') return [...rules];
  const gadgets = await matchGadgetsByName(context, source, target);
  return rules.map(rule => {
    const match = gadgets.get(rule.gadget_id);
    if (match === undefined) return rule;
    if (match.target === undefined)
      throw createInvalidFieldError(
        'own_gadgets',
        `must be keep, because the target does not have exactly one gadget named “${match.name}”`,
      );
    return { ...rule, gadget_id: match.target as InputRule['gadget_id'] };
  });
};

/** Adds the target to validation errors. */
const withTargetInErrors = async <T>(index: number, id: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'invalid_request') throw error;
    throw createInvalidFieldError(
      `device_ids.${index}`,
      `refers to the device ${id}, which cannot have these rules. ${error.message}`,
      { device_id: id },
    );
  }
};

/** Copies to all targets or none: a rejected target rolls back the transaction. */
export const copyInputRules = async (
  context: WriteContext,
  source: DeviceRow,
  targets: readonly DeviceRow[],
  ownGadgets: CopyInputRulesRequest['own_gadgets'],
  /** Throws if the caller may not give these rules to the target. */
  requireAllowed: (target: DeviceRow, rules: readonly InputRule[]) => Promise<void>,
): Promise<DeviceRow[]> => {
  const editedDevices: DeviceRow[] = [];
  for (const [index, target] of targets.entries()) {
    const edited = await withTargetInErrors(index, target.id, async () => {
      const rules = await inputRulesForTarget(context, source, target, parseInputRules(source), ownGadgets);
      await requireAllowed(target, rules);
      return editDevice(context, target.id, { input_rules: rules });
    });
    editedDevices.push(edited);
  }
  return editedDevices;
};
