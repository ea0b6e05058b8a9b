import type { DeviceId, GadgetId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import { instant } from '@lintel/access-core/instant';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  rulesCheck,
  type RulesChecked,
  rulesSettlement,
  type TechnicianRules,
  technicianRulesCopy,
  technicianRulesEdit,
} from '@lintel/wire-protocol/technician/input-rules';
import type { RulesConflict } from '../../input-rules/local-rules-state.ts';
import type { ProvisionalRules } from '../../input-rules/local-rules.ts';
import type { CopyReport } from '../../input-rules/rule-copies-state.ts';
import { bodyAs } from '../http/http-errors.ts';
import type { Route } from '../http/route.ts';
import { invalidRequest, TechnicianError } from '../errors/technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';
import * as z from 'zod';

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

interface Reachable {
  readonly id: GadgetId;
  readonly device_id: DeviceId;
  readonly name: string;
  readonly actions: readonly { readonly id: string; readonly name: string }[];
}

const destination = ({ id, device_id, name, actions }: Reachable, is_own: boolean) => ({
  gadget_id: id,
  device_id,
  name,
  is_own,
  actions: actions.map(action => ({ id: action.id, name: action.name })),
});

const copyAnswer = ({ device_id, state, reason, message, asked_at }: CopyReport) => ({
  device_id,
  state,
  reason,
  message,
  asked_at: dateTimeOf(asked_at),
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

const notProvisional = (): TechnicianError =>
  new TechnicianError('conflict', 'There is no provisional edit: it was confirmed, or its time is over', {
    reason: 'not_provisional',
  });

const stillProvisional = (): TechnicianError =>
  new TechnicianError('conflict', 'The rules are provisional: confirm them before they are copied', {
    reason: 'provisional',
  });

const tooManyWaiting = (): TechnicianError =>
  new TechnicianError('conflict', 'Too many copies wait for the line already', { reason: 'too_many_waiting' });

const notClaimed = (): TechnicianError =>
  new TechnicianError('conflict', 'The controller is not claimed yet, and knows of no site', { reason: 'not_claimed' });

const nothing = z.strictObject({});

export const inputRuleRoutes = ({ controller, wall }: TechnicianParts): Route[] => {
  const { technician } = controller;
  const { rules } = technician;
  const { ruleCopies, siteDirectory } = controller;

  /** Those of the snapshot, and of what the bridge has told of the site what the snapshot does not have. */
  const otherGadgets = (): readonly Reachable[] => [
    ...technician.otherGadgets,
    ...siteDirectory.gadgets.filter(({ id }) => controller.snapshot.gadget(id) === undefined),
  ];
  const siteDevices = (): TechnicianRules['site_devices'] => {
    const told = siteDirectory.devices;
    if (told.length > 0) return told.filter(one => one.takes_rules).map(({ id, name }) => ({ id, name }));
    return controller.snapshot.peers.map(({ id, name }) => ({ id, name: name ?? null }));
  };

  const provisionalAnswer = ({ left_ms, by, previous }: ProvisionalRules): TechnicianRules['provisional'] => ({
    reverts_at: dateTimeOf(instant(wall.now() + Math.round(left_ms))),
    seconds_left: left_ms / 1_000,
    by: { user_id: by.user_id, pass_id: by.pass_id },
    previous: asRules(previous),
  });
  const answer = (): TechnicianRules => ({
    device_id: controller.snapshot.deviceId,
    input_rules: asRules(rules.inForce),
    base: rules.base,
    pending: rules.isPending,
    conflict: rules.conflict === null ? null : conflictAnswer(rules.conflict),
    provisional: rules.provisional === null ? null : provisionalAnswer(rules.provisional),
    destinations: [
      ...technician.gadgets.map(gadget => destination(gadget, true)),
      ...otherGadgets().map(gadget => destination(gadget, false)),
    ],
    site_devices: siteDevices(),
    copies: ruleCopies.reports.map(copyAnswer),
  });
  const checked = (input: unknown): readonly InputRule[] => {
    const result = rules.check(input);
    if (result.ok) return result.value;
    throw invalidRequest(result.problems);
  };

  return [
    {
      method: 'GET',
      path: '/input_rules',
      handle: () => {
        siteDirectory.looked();
        return answer();
      },
    },
    {
      method: 'PUT',
      path: '/input_rules',
      handle: ({ request, session }) => {
        const { input_rules, base, confirm_within_s } = bodyAs(technicianRulesEdit, request.body);
        if (base !== undefined && base !== rules.base) throw changedMeanwhile();
        // Whoever sends the base has seen the conflict, and this is how it is settled.
        if (base === undefined && rules.conflict !== null) throw unsettled();
        if (confirm_within_s === undefined) rules.edit(checked(input_rules), session.technician);
        else rules.editForNow(checked(input_rules), session.technician, confirm_within_s * 1_000);
        return answer();
      },
    },
    {
      method: 'POST',
      path: '/input_rules/confirm',
      handle: ({ request, session }) => {
        bodyAs(nothing, request.body);
        if (!rules.confirm(session.technician)) throw notProvisional();
        return answer();
      },
    },
    {
      method: 'POST',
      path: '/input_rules/revert',
      handle: ({ request, session }) => {
        bodyAs(nothing, request.body);
        if (!rules.revert(session.technician)) throw notProvisional();
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
      path: '/input_rules/copy',
      handle: ({ request, reply, session }) => {
        const { to, own_gadgets } = bodyAs(technicianRulesCopy, request.body);
        const own = controller.snapshot.deviceId;
        if (own === null) throw notClaimed();
        const place = to.indexOf(own);
        if (place >= 0)
          throw new TechnicianError('invalid_request', 'These are the rules of this very device', {
            field: `to.${place}`,
          });
        if (rules.provisional !== null) throw stillProvisional();
        if (!ruleCopies.ask(to, own_gadgets, session.technician)) throw tooManyWaiting();
        reply.code(202);
        return answer();
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
