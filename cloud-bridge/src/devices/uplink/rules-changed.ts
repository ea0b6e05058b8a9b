import { randomUUID } from 'node:crypto';
import type { DeviceId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import type { Rules } from '@lintel/wire-protocol/mqtt/messages/rules';
import type { RulesChanged } from '@lintel/wire-protocol/mqtt/messages/rules-changed';
import { ApiError } from '../../http/api-error.ts';
import { editDevice } from '../../resources/devices.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import { insertRow, requireLivingRow } from '../../transactions/rows.ts';
import type { WriteContext } from '../../transactions/writer.ts';
import { isDeviceChangedSince } from './changed-since.ts';
import { claimedLink } from './claimed-link.ts';
import type { UplinkDesk } from './uplink-desk.ts';

type Verdict = Pick<Rules, 'outcome' | 'message' | 'input_rules'>;

const rulesOf = ({ input_rules }: DeviceRow): readonly InputRule[] => JSON.parse(input_rules) as InputRule[];

/** Not applied and not lost: a person settles it. */
const keepConflict = (context: WriteContext, device: DeviceRow, edit: RulesChanged): Promise<unknown> => {
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

const settle = async (context: WriteContext, deviceId: string, edit: RulesChanged): Promise<Verdict> => {
  const device = await requireLivingRow(context, 'devices', 'device', deviceId);
  const current = rulesOf(device);
  // The same edit again, or the same rules from both sides.
  if (JSON.stringify(current) === JSON.stringify(edit.input_rules)) {
    return { outcome: 'accepted', message: null, input_rules: current };
  }
  const base = edit.base_revision;
  // Rules that were made before there was a bridge to ask take the place of none.
  if (base === null ? current.length > 0 : await isDeviceChangedSince(context, deviceId, base)) {
    await keepConflict(context, device, edit);
    return { outcome: 'superseded', message: 'The device was changed at the desk meanwhile', input_rules: current };
  }
  try {
    const edited = await editDevice(context, deviceId, { input_rules: [...edit.input_rules] });
    return { outcome: 'accepted', message: null, input_rules: rulesOf(edited) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await keepConflict(context, device, edit);
    return { outcome: 'refused', message: error.message, input_rules: current };
  }
};

/** The technician, where the pass that the controller was shown is of a user of the organization. */
const editorOf = async (
  { services }: UplinkDesk,
  organizationId: string,
  { user_id }: RulesChanged,
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

/** A technician edited the rules at the door. They hold there already; here they are taken over, or answered. */
export const handleRulesChanged = async (
  desk: UplinkDesk,
  device: DeviceId,
  edit: RulesChanged,
): Promise<string | null> => {
  const { services, downlink } = desk;
  const link = await claimedLink(desk, device);
  if (link === null) return 'the device is not claimed';
  const { organizationId } = link;
  const actor = { device_id: device, ...(await editorOf(desk, organizationId, edit)) };
  const verdict = await services.writer.write(organizationId, actor, context => settle(context, device, edit));
  const { revision } = await services.storage.reader
    .selectFrom('organizations')
    .select('revision')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  await downlink.send(link, 'rules', { v: 1, ...verdict, revision });
  return null;
};
