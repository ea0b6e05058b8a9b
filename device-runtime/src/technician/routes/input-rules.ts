import type { InputRule } from '@lintel/access-core/input-rules';
import { inputRulesEdit } from '@lintel/wire-protocol/admin/device';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  rulesCheck,
  type RulesChecked,
  rulesSettlement,
  type TechnicianRules,
} from '@lintel/wire-protocol/technician/input-rules';
import type { RulesConflict } from '../../app/local-rules-state.ts';
import type { GadgetEntry } from '../../app/served-slice.ts';
import { bodyAs } from '../http-forms.ts';
import type { Route } from '../route.ts';
import { invalidRequest, TechnicianError } from '../technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const asRules = (rules: readonly InputRule[]): TechnicianRules['input_rules'] =>
  rules.map(({ code, gadget_id, action_id }) => ({ code, gadget_id, action_id }));

const conflictAnswer = ({ yours, theirs, outcome, message, at }: RulesConflict): TechnicianRules['conflict'] => ({
  yours: asRules(yours.input_rules),
  theirs: asRules(theirs),
  outcome,
  message,
  edited_at: dateTimeOf(yours.edited_at),
  at: dateTimeOf(at),
});

const destination = ({ id, device_id, name, actions }: GadgetEntry, is_own: boolean) => ({
  gadget_id: id,
  device_id,
  name,
  is_own,
  actions: actions.map(action => ({ id: action.id, name: action.name })),
});

const changedMeanwhile = (): TechnicianError =>
  new TechnicianError('conflict', 'The input rules have changed since they were read: read them again', {
    reason: 'changed_meanwhile',
    field: 'base',
  });

const unsettled = (): TechnicianError =>
  new TechnicianError(
    'conflict',
    "An earlier edit met the desk's: settle that first, or read the rules again and send their base along",
    { reason: 'unsettled_conflict' },
  );

export const inputRuleRoutes = ({ controller }: TechnicianParts): Route[] => {
  const { technician } = controller;
  const { rules } = technician;

  const answer = (): TechnicianRules => ({
    device_id: controller.slice.deviceId,
    input_rules: asRules(rules.inForce),
    base: rules.base,
    pending: rules.isPending,
    conflict: rules.conflict === null ? null : conflictAnswer(rules.conflict),
    destinations: [
      ...technician.gadgets.map(gadget => destination(gadget, true)),
      ...technician.otherGadgets.map(gadget => destination(gadget, false)),
    ],
  });
  const checked = (input: unknown): readonly InputRule[] => {
    const result = rules.check(input);
    if (result.ok) return result.value;
    throw invalidRequest(result.problems);
  };

  return [
    { method: 'GET', path: '/input_rules', handle: answer },
    {
      method: 'PUT',
      path: '/input_rules',
      handle: ({ request, session }) => {
        const { input_rules, base } = bodyAs(inputRulesEdit, request.body);
        if (base !== undefined && base !== rules.base) throw changedMeanwhile();
        // Whoever sends the base has seen the conflict, and this is how it is settled.
        if (base === undefined && rules.conflict !== null) throw unsettled();
        rules.edit(checked(input_rules), session.technician);
        return answer();
      },
    },
    {
      method: 'POST',
      path: '/input_rules/check',
      handle: ({ request }): RulesChecked => {
        const result = rules.check(bodyAs(rulesCheck, request.body).input_rules);
        return { ok: result.ok, problems: result.ok ? [] : result.problems.map(found => ({ ...found })) };
      },
    },
    {
      method: 'POST',
      path: '/input_rules/conflict',
      handle: ({ request, session }) => {
        const { keep } = bodyAs(rulesSettlement, request.body);
        if (rules.conflict === null) {
          const args = { reason: 'no_conflict' };
          throw new TechnicianError('conflict', 'There is nothing to settle', args);
        }
        if (keep === 'theirs') rules.keepTheirs(session.technician);
        else rules.edit(checked(rules.conflict.yours.input_rules), session.technician);
        return answer();
      },
    },
  ];
};
