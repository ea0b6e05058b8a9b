import { toTechnicianIdentity } from '../../events/acting-technician.ts';
import type { DeviceId, GadgetId } from '@lintel/access-core/ids';
import { type InputRule, parseInputRules } from '@lintel/access-core/input-rules';
import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  inputRulesCheckRequestSchema,
  type InputRulesCheckResponse,
  inputRulesConflictResolutionRequestSchema,
  type TechnicianInputRulesResponse,
  technicianConfirmOrRevertInputRulesCopyRequestSchema,
  technicianInputRulesCopyRequestSchema,
  technicianEditInputRulesRequestSchema,
} from '@lintel/wire-protocol/technician/input-rules';
import type { InputRulesConflict } from '../../input-rules/local-rules-state.ts';
import type { ProvisionalInputRulesStatus } from '../../input-rules/local-rules.ts';
import type { InputRulesVersion } from '../../input-rules/rules-history.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { createInvalidRequestError, TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { SiteDevice } from '../../snapshot/site-directory.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';
import * as z from 'zod';

const toRules = (rules: readonly InputRule[]): TechnicianInputRulesResponse['input_rules'] =>
  rules.map(({ code, gadget_id, action_id }) => ({ code, gadget_id, action_id }));

const toConflict = ({
  yours,
  theirs,
  outcome,
  message,
  at,
}: InputRulesConflict): TechnicianInputRulesResponse['conflict'] => ({
  yours: toRules(yours.input_rules),
  theirs: toRules(theirs),
  outcome,
  message,
  edited_at: toDateTime(yours.edited_at),
  at: toDateTime(at),
});

interface ReachableGadget {
  readonly id: GadgetId;
  readonly device_id: DeviceId;
  readonly name: string;
  readonly actions: readonly { readonly id: string; readonly name: string }[];
}

const toDestination = ({ id, device_id, name, actions }: ReachableGadget, is_own: boolean) => ({
  gadget_id: id,
  device_id,
  name,
  is_own,
  actions: actions.map(action => ({ id: action.id, name: action.name })),
});

const toVersion = ({ at, by, input_rules }: InputRulesVersion): TechnicianInputRulesResponse['history'][number] => ({
  at: toDateTime(at),
  by,
  input_rules: toRules(input_rules),
});

const editConflict = (): TechnicianRequestError =>
  new TechnicianRequestError('conflict', 'The input rules have changed. Reload them', {
    reason: 'edit_conflict',
    field: 'base',
  });

const unsettled = (): TechnicianRequestError =>
  new TechnicianRequestError(
    'conflict',
    'An earlier edit conflicts with the bridge. Resolve the conflict first, or reload the rules and send their base',
    { reason: 'unsettled_conflict' },
  );

const notProvisional = (): TechnicianRequestError =>
  new TechnicianRequestError('conflict', 'There is no provisional edit: it was confirmed or has expired', {
    reason: 'not_provisional',
  });

const stillProvisional = (): TechnicianRequestError =>
  new TechnicianRequestError('conflict', 'The rules are provisional. Confirm them before copying', {
    reason: 'provisional',
  });

const offline = (): TechnicianRequestError =>
  new TechnicianRequestError('conflict', 'This controller is offline. Copy the rules when it is online', {
    reason: 'offline',
  });

const noCopyOnTrial = (): TechnicianRequestError =>
  new TechnicianRequestError('conflict', 'No copied rules are on trial there: they were kept, or the time was up', {
    reason: 'not_provisional',
  });

const noKeptCopy = (): TechnicianRequestError =>
  new TechnicianRequestError('conflict', 'No copied rules are in force there: there is nothing to undo', {
    reason: 'not_kept',
  });

const notClaimed = (): TechnicianRequestError =>
  new TechnicianRequestError('conflict', 'The controller is not claimed yet', { reason: 'not_claimed' });

const nothing = z.strictObject({});

/** The rules of another controller, whose gadgets this one may not know. */
const rulesSeen = (input: unknown): readonly InputRule[] => {
  const result = parseInputRules(input, null);
  if (result.ok) return result.value;
  throw createInvalidRequestError(result.problems);
};

export const createInputRuleRoutes = ({ controller, wall }: TechnicianApiDependencies): TechnicianRoute[] => {
  const { technician } = controller;
  const { rules } = technician;
  const { ruleCopies, siteDirectory } = controller;

  /** Gadgets of the snapshot, then those of the site directory that the snapshot does not contain. */
  const otherGadgets = (): readonly ReachableGadget[] => [
    ...technician.otherGadgets,
    ...siteDirectory.gadgets.filter(({ id }) => controller.snapshot.gadget(id) === undefined),
  ];
  const toSiteDevice = ({
    id,
    name,
    input_rules,
  }: SiteDevice): TechnicianInputRulesResponse['site_devices'][number] => ({
    id,
    name,
    input_rules: input_rules === undefined ? null : toRules(input_rules),
  });
  const siteDevices = (): TechnicianInputRulesResponse['site_devices'] => {
    const devices = siteDirectory.devices;
    if (devices.length > 0) return devices.filter(device => device.takes_rules).map(toSiteDevice);
    return controller.snapshot.peers.map(({ id, name }) => ({ id, name: name ?? null, input_rules: null }));
  };

  const provisionalAnswer = ({
    left_ms,
    by,
    previous,
  }: ProvisionalInputRulesStatus): TechnicianInputRulesResponse['provisional'] => ({
    reverts_at: toDateTime(instant(wall.now() + Math.round(left_ms))),
    seconds_left: left_ms / 1_000,
    by: toTechnicianIdentity(by),
    previous: toRules(previous),
  });
  const answer = (): TechnicianInputRulesResponse => ({
    device_id: controller.snapshot.deviceId,
    input_rules: toRules(rules.current),
    base: rules.base,
    pending: rules.isPending,
    conflict: rules.conflict === null ? null : toConflict(rules.conflict),
    provisional: rules.provisional === null ? null : provisionalAnswer(rules.provisional),
    destinations: [
      ...technician.gadgets.map(gadget => toDestination(gadget, true)),
      ...otherGadgets().map(gadget => toDestination(gadget, false)),
    ],
    site_devices: siteDevices(),
    copies: [...ruleCopies.reports],
    history: rules.versions.map(toVersion),
  });
  const checked = (input: unknown): readonly InputRule[] => {
    const result = rules.check(input);
    if (result.ok) return result.value;
    throw createInvalidRequestError(result.problems);
  };
  const decideCopy = (step: 'confirm' | 'revert'): TechnicianRoute => ({
    method: 'POST',
    path: `/input_rules/copy/${step}`,
    handle: ({ request, reply, session }) => {
      const { to } = parseTechnicianRequestBody(technicianConfirmOrRevertInputRulesCopyRequestSchema, request.body);
      if (!ruleCopies.isOnline) throw offline();
      if (!ruleCopies.decide(to, step, session.technician)) throw noCopyOnTrial();
      reply.code(202);
      return answer();
    },
  });

  const undoCopy: TechnicianRoute = {
    method: 'POST',
    path: '/input_rules/copy/undo',
    handle: ({ request, reply, session }) => {
      const { to } = parseTechnicianRequestBody(technicianConfirmOrRevertInputRulesCopyRequestSchema, request.body);
      if (!ruleCopies.isOnline) throw offline();
      if (!ruleCopies.undo(to, session.technician)) throw noKeptCopy();
      reply.code(202);
      return answer();
    },
  };

  return [
    undoCopy,
    {
      method: 'GET',
      path: '/input_rules',
      handle: () => {
        siteDirectory.requestUpdate();
        return answer();
      },
    },
    {
      method: 'PUT',
      path: '/input_rules',
      handle: ({ request, session }) => {
        const { input_rules, base, confirm_within_s } = parseTechnicianRequestBody(
          technicianEditInputRulesRequestSchema,
          request.body,
        );
        if (base !== undefined && base !== rules.base) throw editConflict();
        // A request with the base was made after the conflict was shown, and resolves it.
        if (base === undefined && rules.conflict !== null) throw unsettled();
        if (confirm_within_s === undefined) rules.edit(checked(input_rules), session.technician);
        else rules.editProvisionally(checked(input_rules), session.technician, confirm_within_s * 1_000);
        return answer();
      },
    },
    {
      method: 'POST',
      path: '/input_rules/confirm',
      handle: ({ request, session }) => {
        parseTechnicianRequestBody(nothing, request.body);
        if (!rules.confirm(session.technician)) throw notProvisional();
        return answer();
      },
    },
    {
      method: 'POST',
      path: '/input_rules/revert',
      handle: ({ request, session }) => {
        parseTechnicianRequestBody(nothing, request.body);
        if (!rules.revert(session.technician)) throw notProvisional();
        return answer();
      },
    },
    {
      method: 'POST',
      path: '/input_rules/check',
      handle: ({ request }): InputRulesCheckResponse => {
        const result = rules.check(parseTechnicianRequestBody(inputRulesCheckRequestSchema, request.body).input_rules);
        return { ok: result.ok, problems: result.ok ? [] : result.problems.map(found => ({ ...found })) };
      },
    },
    {
      method: 'POST',
      path: '/input_rules/copy',
      handle: ({ request, reply, session }) => {
        const { to, input_rules, previous, confirm_within_s } = parseTechnicianRequestBody(
          technicianInputRulesCopyRequestSchema,
          request.body,
        );
        const own = controller.snapshot.deviceId;
        if (own === null) throw notClaimed();
        if (to === own)
          throw new TechnicianRequestError('invalid_request', 'The rules cannot be copied to the same controller', {
            field: 'to',
          });
        if (rules.provisional !== null) throw stillProvisional();
        if (!ruleCopies.isOnline) throw offline();
        const seen = rulesSeen(previous);
        ruleCopies.request(
          to,
          { input_rules: checked(input_rules), previous: seen, confirm_within_s },
          session.technician,
        );
        reply.code(202);
        return answer();
      },
    },
    decideCopy('confirm'),
    decideCopy('revert'),
    {
      method: 'POST',
      path: '/input_rules/conflict',
      handle: ({ request, session }) => {
        const { keep } = parseTechnicianRequestBody(inputRulesConflictResolutionRequestSchema, request.body);
        if (rules.conflict === null) {
          const args = { reason: 'no_conflict' };
          throw new TechnicianRequestError('conflict', 'There is no conflict', args);
        }
        if (keep === 'theirs') rules.acceptBridgeRules(session.technician);
        else rules.edit(checked(rules.conflict.yours.input_rules), session.technician);
        return answer();
      },
    },
  ];
};
