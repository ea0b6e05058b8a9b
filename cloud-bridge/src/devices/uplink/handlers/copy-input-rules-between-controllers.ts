import type { DeviceId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import type { InputRulesCopyResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-copy-result';
import type { CopyInputRulesMqttMessage } from '@lintel/wire-protocol/mqtt/messages/copy-input-rules';
import type {
  RemoteTechnicianOperation,
  StrikeOperation,
} from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import {
  type TechnicianInputRulesResponse,
  technicianInputRulesResponseSchema,
} from '@lintel/wire-protocol/technician/input-rules';
import { findOrganizationAccessOfUser } from '../../../accounts/organization-access.ts';
import { hasPermission } from '../../../accounts/role-permissions.ts';
import type { DownlinkRecipient } from '../../downlink/downlink-sender.ts';
import { findClaimedDownlinkRecipient } from '../find-claimed-downlink-recipient.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

type CopyResult = Omit<InputRulesCopyResultMqttMessage, 'v' | 'copy_id'>;

const refused = (reason: string, message: string): CopyResult => ({
  outcome: 'refused',
  seconds_left: null,
  reason,
  message,
});

const done = ({ provisional }: TechnicianInputRulesResponse): CopyResult => ({
  outcome: 'done',
  seconds_left: provisional?.seconds_left ?? null,
  reason: null,
  message: null,
});

const haveSameRules = (one: readonly InputRule[], other: readonly InputRule[]): boolean =>
  JSON.stringify(one.map(({ code, gadget_id, action_id }) => [code, gadget_id, action_id])) ===
  JSON.stringify(other.map(({ code, gadget_id, action_id }) => [code, gadget_id, action_id]));

/** Null if the technician may change the rules of the target. */
const refusalOf = async (
  { services }: UplinkDependencies,
  { organizationId, deviceId }: DownlinkRecipient,
  { to, user_id }: CopyInputRulesMqttMessage,
): Promise<CopyResult | null> => {
  const db = services.storage.reader;
  const rows = await db
    .selectFrom('devices')
    .select(['id', 'site_id'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [deviceId, to])
    .where('is_deleted', '=', 0)
    .execute();
  const target = rows.find(({ id }) => id === to);
  if (target === undefined) return refused('not_found', 'The controller does not exist');
  if (target.site_id !== rows.find(({ id }) => id === deviceId)?.site_id)
    return refused('not_of_this_site', 'The controller is at another site');
  const access = user_id == null ? null : await findOrganizationAccessOfUser(db, organizationId, user_id);
  const isAllowed =
    access !== null &&
    hasPermission(access, 'input_rules.write') &&
    (access.siteIds === null || access.siteIds.includes(target.site_id));
  return isAllowed
    ? null
    : refused('forbidden', 'The technician is unknown or is not allowed to change rules at this site');
};

const unreachable = refused('hardware_offline', 'The controller is offline. Try again when it is online');

/** The rules after the operation, or why it failed. */
const callTarget = async (
  { technicians }: UplinkDependencies,
  { to, user_id }: CopyInputRulesMqttMessage,
  operation: Exclude<RemoteTechnicianOperation, StrikeOperation>,
  body: object | null,
): Promise<TechnicianInputRulesResponse | CopyResult> => {
  const response = await technicians.forward(to, {
    user_id: user_id ?? null,
    oauth_application_id: null,
    operation,
    parameters: {},
    query: {},
    body: body === null ? null : JSON.stringify(body),
  });
  if (response === null) return unreachable;
  const content: unknown = JSON.parse(response.body);
  if (response.status === 200) return technicianInputRulesResponseSchema.parse(content);
  const { message } = content as { readonly message?: string };
  return refused('invalid', message ?? 'The controller rejected the rules');
};

const runStep = async (uplink: UplinkDependencies, request: CopyInputRulesMqttMessage): Promise<CopyResult> => {
  const { step, input_rules, previous, confirm_within_s } = request;
  const found = await callTarget(uplink, request, 'get_input_rules', null);
  if ('outcome' in found) return found;
  const isCopied = haveSameRules(found.input_rules, input_rules);
  const isOnTrial = found.provisional !== null;
  const run = async (
    operation: Exclude<RemoteTechnicianOperation, StrikeOperation>,
    body: object,
  ): Promise<CopyResult> => {
    const result = await callTarget(uplink, request, operation, body);
    return 'outcome' in result ? result : done(result);
  };
  if (step === 'try') {
    // A repeated message.
    if (isCopied && isOnTrial) return done(found);
    if (isOnTrial) return refused('provisional', 'Other rules are on trial at this controller. Wait until they end');
    if (!haveSameRules(found.input_rules, previous))
      return refused('edit_conflict', 'The rules of this controller have changed. Compare them again');
    return run('set_input_rules', { input_rules, base: found.base, confirm_within_s });
  }
  if (isOnTrial && isCopied) return run(step === 'confirm' ? 'confirm_input_rules' : 'revert_input_rules', {});
  // A repeated message.
  if (haveSameRules(found.input_rules, step === 'confirm' ? input_rules : previous)) return done(found);
  return refused('not_provisional', 'The rules are no longer on trial: the time was up, or they were changed');
};

/** Tries rules of one controller at another one of its site, and then keeps or reverts them. */
export const handleCopyInputRules = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  request: CopyInputRulesMqttMessage,
): Promise<string | null> => {
  const recipient = await findClaimedDownlinkRecipient(uplink, device);
  if (recipient === null) return 'the device is not claimed';
  // The other controller may take seconds to respond, and other messages of this one must not wait for it.
  uplink.enqueueSync(device, async () => {
    const result = (await refusalOf(uplink, recipient, request)) ?? (await runStep(uplink, request));
    await uplink.downlink.send(recipient, 'rules-copied', { v: 1, copy_id: request.copy_id, ...result });
  });
  return null;
};
