import { randomUUID } from 'node:crypto';
import type { DeviceId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import type { InputRulesEditResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-edit-result';
import type { InputRulesChangedMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-changed';
import { ApiError } from '../../../http/api-error.ts';
import { editDevice } from '../../../resources/devices.ts';
import type { DeviceRow } from '../../../storage/schema.ts';
import { insertRow, requireActiveRow } from '../../../transactions/row-operations.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';
import { hasDeviceChangedSince } from '../has-device-changed-since-revision.ts';
import type { UplinkMessageOrigin } from '../../device-session-registry.ts';
import { acceptUplinkCounter } from '../uplink-replay-protection.ts';
import { findClaimedDownlinkRecipient } from '../find-claimed-downlink-recipient.ts';
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

const applyEdit = async (
  context: WriteContext,
  deviceId: string,
  edit: InputRulesChangedMqttMessage,
  counter: number,
): Promise<RulesResponse> => {
  const device = await requireActiveRow(context, 'devices', 'device', deviceId);
  const current = rulesOf(device);
  const isNew = await acceptUplinkCounter(context, deviceId, 'rules-changed', counter);
  // A repeated message, or the same edit on both sides.
  if (JSON.stringify(current) === JSON.stringify(edit.input_rules)) {
    return { outcome: 'accepted', message: null, input_rules: current };
  }
  if (!isNew) return { outcome: 'superseded', message: 'A later edit has replaced this one', input_rules: current };
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

/** The technician, if the pass belongs to a user of the organization. */
const editorOf = async (
  { services }: UplinkDependencies,
  organizationId: string,
  { user_id }: InputRulesChangedMqttMessage,
): Promise<{ readonly user_id?: string }> => {
  if (user_id == null) return {};
  const known = await services.storage.reader
    .selectFrom('organization_users')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return known === undefined ? {} : { user_id };
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
  const actor = { device_id: device, ...(await editorOf(uplink, organizationId, edit)) };
  const response = await services.writer.write(organizationId, actor, context =>
    applyEdit(context, device, edit, counter),
  );
  const { revision } = await services.storage.reader
    .selectFrom('organizations')
    .select('revision')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  await downlink.send(recipient, 'rules', { v: 1, ...response, revision });
  return null;
};
