import type { DeviceId } from '@lintel/access-core/ids';
import type { RulesCopiedMessage } from '@lintel/wire-protocol/mqtt/messages/rules-copied';
import type { RulesCopyMessage } from '@lintel/wire-protocol/mqtt/messages/rules-copy';
import { type OrganizationAccess, organizationAccessOfUser } from '../../../accounts/organization-access.ts';
import { roleAllows } from '../../../accounts/role-permissions.ts';
import { ApiError } from '../../../http/api-error.ts';
import { editDevice } from '../../../resources/devices.ts';
import { inputRulesForTarget } from '../../../resources/input-rules.ts';
import type { DownlinkRecipient } from '../../downlink/downlink-sender.ts';
import { findRow, requireActiveRow } from '../../../transactions/row-operations.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';
import { hasDeviceChangedSince } from '../device-change-check.ts';
import { findClaimedRecipient } from '../claimed-recipient.ts';
import { loadRevisionCounters } from '../time-message.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

type CopyResult = Pick<RulesCopiedMessage['results'][number], 'outcome' | 'reason' | 'message'>;

const copied: CopyResult = { outcome: 'copied', reason: null, message: null };

const refused = (reason: string, message: string): CopyResult => ({ outcome: 'refused', reason, message });

const canWriteRules = (membership: OrganizationAccess | null, siteId: string): boolean =>
  membership !== null &&
  roleAllows(membership.role, 'input_rules.write') &&
  (membership.siteIds === null || membership.siteIds.includes(siteId));

const copyRulesTo = async (
  context: WriteContext,
  sourceId: string,
  targetId: string,
  request: RulesCopyMessage,
  membership: OrganizationAccess | null,
): Promise<CopyResult> => {
  const source = await requireActiveRow(context, 'devices', 'device', sourceId);
  const target = await findRow(context, 'devices', targetId);
  if (target === undefined || target.is_deleted === 1) return refused('not_found', 'Unknown device');
  if (target.site_id !== source.site_id) return refused('not_of_this_site', 'The device is at another site');
  if (!canWriteRules(membership, target.site_id))
    return refused('forbidden', 'The technician is unknown or may not change rules at this site');
  const rules = await inputRulesForTarget(context, source, target, request.input_rules, request.own_gadgets);
  // A repeated message, or the same rules already.
  if (target.input_rules === JSON.stringify(rules)) return copied;
  const base = request.base_revision;
  if (base === null ? target.input_rules !== '[]' : await hasDeviceChangedSince(context, target.id, base))
    return refused('changed_meanwhile', 'The device was changed in the meantime. Copy again to overwrite the change');
  await editDevice(context, target.id, { input_rules: rules });
  return copied;
};

const copyResultFor = async (
  uplink: UplinkDependencies,
  { organizationId, deviceId }: DownlinkRecipient,
  target: DeviceId,
  request: RulesCopyMessage,
): Promise<CopyResult> => {
  const { storage, writer } = uplink.services;
  const membership =
    request.user_id == null ? null : await organizationAccessOfUser(storage.reader, organizationId, request.user_id);
  const actor = { device_id: deviceId, ...(membership === null ? {} : { user_id: request.user_id! }) };
  try {
    return await writer.write(organizationId, actor, context =>
      copyRulesTo(context, deviceId, target, request, membership),
    );
  } catch (error) {
    if (error instanceof ApiError) return refused('invalid', error.message);
    throw error;
  }
};

/** Copies the rules of one controller to others of its site, with a result for each of them. */
export const handleRulesCopy = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  request: RulesCopyMessage,
): Promise<string | null> => {
  const recipient = await findClaimedRecipient(uplink, device);
  if (recipient === null) return 'the device is not claimed';
  const results: RulesCopiedMessage['results'] = [];
  for (const device_id of request.to)
    results.push({ device_id, ...(await copyResultFor(uplink, recipient, device_id, request)) });
  const counters = await loadRevisionCounters(uplink.services, recipient.organizationId);
  if (counters === null) return 'the organization is deleted';
  await uplink.downlink.send(recipient, 'rules-copied', {
    v: 1,
    copy_id: request.copy_id,
    revision: counters.revision,
    results,
  });
  return null;
};
