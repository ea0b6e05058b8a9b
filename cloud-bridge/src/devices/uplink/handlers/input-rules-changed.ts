import { randomUUID } from 'node:crypto';
import type { DeviceId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import type { InputRulesEditResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-edit-result';
import type { InputRulesChangedMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-changed';
import { findOrganizationAccessOfUser } from '../../../accounts/organization-access.ts';
import { hasPermission } from '../../../accounts/role-permissions.ts';
import { ApiError } from '../../../http/api-error.ts';
import { editDevice } from '../../../resources/devices.ts';
import { recordIncident } from '../../../resources/incidents.ts';
import { findRuleOutsideSites, hasSameRulesOutside } from '../../../resources/input-rules.ts';
import { listActiveGadgetsOfDevice } from '../../../resources/read-gadget-rows.ts';
import type { DeviceRow } from '../../../storage/schema.ts';
import { insertRow, requireActiveRow } from '../../../transactions/row-operations.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';
import { hasDeviceChangedSince } from '../has-device-changed-since-revision.ts';
import type { UplinkMessageOrigin } from '../../device-session-registry.ts';
import { acceptUplinkCounter } from '../uplink-replay-protection.ts';
import { findClaimedDownlinkRecipient } from '../find-claimed-downlink-recipient.ts';
import { findSendingDevice, proveTechnician, type SendingDevice } from '../technician-proof.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

type RulesResponse = Pick<InputRulesEditResultMqttMessage, 'outcome' | 'message' | 'input_rules'>;

const rulesOf = ({ input_rules }: DeviceRow): readonly InputRule[] => JSON.parse(input_rules) as InputRule[];

/** Stores rules that were not applied, so that an administrator can resolve the conflict. */
const storeConflict = (
  context: WriteContext,
  device: DeviceRow,
  edit: InputRulesChangedMqttMessage,
): Promise<unknown> => {
  const object = { type: 'device', device_id: device.id, site_id: device.site_id };
  context.log({ verb: 'deny', object, reason: 'rules_conflict' });
  return insertRow(context, 'rule_conflicts', {
    id: randomUUID(),
    device_id: device.id,
    organization_id: context.organizationId,
    edited_at: edit.edited_at,
    base_revision: edit.base_revision,
    pass_id: edit.pass_id,
    input_rules: JSON.stringify(edit.input_rules),
    recorded_at: context.now,
  });
};

/** Refuses rules that a technician could not have set, and tells administrators. The controller returns to its own. */
const refuse = async (context: WriteContext, device: DeviceRow, message: string): Promise<RulesResponse> => {
  const found = { device_ids: [device.id], revoked_ids: [] };
  await recordIncident(context, 'rules_refused', found);
  return { outcome: 'refused', message, input_rules: rulesOf(device) };
};

/** Why the editor may not make this change; null if allowed. */
const findObstacle = async (
  context: WriteContext,
  device: DeviceRow,
  { input_rules }: InputRulesChangedMqttMessage,
  editor: RuleEditor,
): Promise<string | null> => {
  if (editor === 'unproven') return 'The message does not prove that a technician made this change';
  if (editor === 'not_allowed') return 'The technician may not change input rules at this site';
  const current = rulesOf(device);
  if (editor === 'setup_code') {
    const own = new Set((await listActiveGadgetsOfDevice(context, device.id)).map(({ id }) => id));
    return hasSameRulesOutside(current, input_rules, gadgetId => own.has(gadgetId))
      ? null
      : 'Without a technician pass, only rules for gadgets of this controller can be changed';
  }
  if (editor.siteIds === null) return null;
  const outside = await findRuleOutsideSites(context, editor.siteIds, current, input_rules);
  return outside === null ? null : 'The technician may not change rules for gadgets of other sites';
};

const applyEdit = async (
  context: WriteContext,
  deviceId: string,
  edit: InputRulesChangedMqttMessage,
  counter: number,
  editor: RuleEditor,
): Promise<RulesResponse> => {
  const device = await requireActiveRow(context, 'devices', 'device', deviceId);
  const current = rulesOf(device);
  const isNew = await acceptUplinkCounter(context, deviceId, 'rules-changed', counter);
  // A repeated message, or the same edit on both sides.
  if (JSON.stringify(current) === JSON.stringify(edit.input_rules)) {
    return { outcome: 'accepted', message: null, input_rules: current };
  }
  if (!isNew) return { outcome: 'superseded', message: 'A later edit has replaced this one', input_rules: current };
  const obstacle = await findObstacle(context, device, edit, editor);
  if (obstacle !== null) return refuse(context, device, obstacle);
  const base = edit.base_revision;
  // Rules from before the claim do not replace rules of the bridge.
  if (base === null ? current.length > 0 : await hasDeviceChangedSince(context, deviceId, base)) {
    await storeConflict(context, device, edit);
    return {
      outcome: 'superseded',
      message: 'An administrator has changed the device in the meantime',
      input_rules: current,
    };
  }
  try {
    const edited = await editDevice(context, deviceId, { input_rules: [...edit.input_rules] });
    return { outcome: 'accepted', message: null, input_rules: rulesOf(edited) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await storeConflict(context, device, edit);
    return { outcome: 'refused', message: error.message, input_rules: current };
  }
};

/** The sites whose gadgets a technician may use in rules; null for all. */
interface ProvenEditor {
  readonly userId: string | null;
  readonly siteIds: readonly string[] | null;
}
/** With the setup code nobody is known. */
type RuleEditor = ProvenEditor | 'setup_code' | 'unproven' | 'not_allowed';

const findEditor = async (
  { services }: UplinkDependencies,
  sender: SendingDevice,
  { user_id, oauth_application_id, pass_id, pass, request_id, edited_at }: InputRulesChangedMqttMessage,
): Promise<RuleEditor> => {
  const isAnonymous = user_id == null && oauth_application_id == null && pass_id === null;
  if (isAnonymous && pass == null && request_id == null) return 'setup_code';
  // The message does not say whether the clock knew the time, so a late start of a pass is not held against it.
  const time = { at: edited_at, isTrusted: false };
  const technician = await proveTechnician(services, sender, { user_id, oauth_application_id, pass, request_id }, time);
  if (technician === null) return 'unproven';
  const { user_id: userId } = technician;
  const isApplication = technician.oauth_application_id !== null;
  if (userId === null) return isApplication ? { userId, siteIds: null } : 'setup_code';
  const access = await findOrganizationAccessOfUser(services.storage.reader, sender.organizationId, userId);
  // The bridge has checked the rights of the token. Applications stay authorized after their user was removed.
  if (access === null && isApplication) return { userId, siteIds: null };
  if (access === null || !hasPermission(access, 'input_rules.write')) return 'not_allowed';
  const { siteIds } = access;
  return siteIds === null || siteIds.includes(sender.siteId) ? { userId, siteIds } : 'not_allowed';
};

/** A technician has edited the rules at the controller, where they already apply. Accepts or rejects them. */
export const handleInputRulesChanged = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  edit: InputRulesChangedMqttMessage,
  _: UplinkMessageOrigin,
  counter: number,
): Promise<string | null> => {
  const { services, downlink } = uplink;
  const recipient = await findClaimedDownlinkRecipient(uplink, device);
  if (recipient === null) return 'the device is not claimed';
  const { organizationId } = recipient;
  const sender = await findSendingDevice(uplink, recipient);
  if (sender === null) return 'the device is not claimed';
  const editor = await findEditor(uplink, sender, edit);
  const actor = {
    device_id: device,
    ...(typeof editor === 'string' || editor.userId === null ? {} : { user_id: editor.userId }),
  };
  const response = await services.writer.write(organizationId, actor, context =>
    applyEdit(context, device, edit, counter, editor),
  );
  const { revision } = await services.storage.reader
    .selectFrom('organizations')
    .select('revision')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  await downlink.send(recipient, 'rules', { v: 1, ...response, revision });
  return null;
};
