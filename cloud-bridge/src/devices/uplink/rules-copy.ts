import type { DeviceId } from '@lintel/access-core/ids';
import type { RulesCopied } from '@lintel/wire-protocol/mqtt/messages/rules-copied';
import type { RulesCopy } from '@lintel/wire-protocol/mqtt/messages/rules-copy';
import { type Membership, membershipOfUser } from '../../accounts/membership.ts';
import { allows } from '../../accounts/role-permissions.ts';
import { ApiError } from '../../http/api-error.ts';
import { editDevice } from '../../resources/devices.ts';
import { rulesForTarget } from '../../resources/input-rules.ts';
import type { Recipient } from '../downlink/downlink.ts';
import { findRow, requireLivingRow } from '../../transactions/rows.ts';
import type { WriteContext } from '../../transactions/writer.ts';
import { isDeviceChangedSince } from './changed-since.ts';
import { claimedLink } from './claimed-link.ts';
import { extentOf } from './time-request.ts';
import type { UplinkDesk } from './uplink-desk.ts';

type Verdict = Pick<RulesCopied['results'][number], 'outcome' | 'reason' | 'message'>;

const copied: Verdict = { outcome: 'copied', reason: null, message: null };

const refused = (reason: string, message: string): Verdict => ({ outcome: 'refused', reason, message });

const mayWrite = (membership: Membership | null, siteId: string): boolean =>
  membership !== null &&
  allows(membership.role, 'input_rules.write') &&
  (membership.siteIds === null || membership.siteIds.includes(siteId));

const copyTo = async (
  context: WriteContext,
  sourceId: string,
  targetId: string,
  ask: RulesCopy,
  membership: Membership | null,
): Promise<Verdict> => {
  const source = await requireLivingRow(context, 'devices', 'device', sourceId);
  const target = await findRow(context, 'devices', targetId);
  if (target === undefined || target.is_deleted === 1) return refused('not_found', 'There is no such device');
  if (target.site_id !== source.site_id) return refused('not_of_this_site', 'The device is at another site');
  if (!mayWrite(membership, target.site_id))
    return refused('forbidden', 'The technician is not known to the bridge, or may not change rules at this site');
  const rules = await rulesForTarget(context, source, target, ask.input_rules, ask.own_gadgets);
  // The same copy again, or the same rules already.
  if (target.input_rules === JSON.stringify(rules)) return copied;
  const base = ask.base_revision;
  if (base === null ? target.input_rules !== '[]' : await isDeviceChangedSince(context, target.id, base))
    return refused('changed_meanwhile', 'The device was changed meanwhile: ask again to overwrite that');
  await editDevice(context, target.id, { input_rules: rules });
  return copied;
};

const outcomeOf = async (
  desk: UplinkDesk,
  { organizationId, deviceId }: Recipient,
  target: DeviceId,
  ask: RulesCopy,
): Promise<Verdict> => {
  const { storage, writer } = desk.services;
  const membership = ask.user_id == null ? null : await membershipOfUser(storage.reader, organizationId, ask.user_id);
  const actor = { device_id: deviceId, ...(membership === null ? {} : { user_id: ask.user_id! }) };
  try {
    return await writer.write(organizationId, actor, context => copyTo(context, deviceId, target, ask, membership));
  } catch (error) {
    if (error instanceof ApiError) return refused('invalid', error.message);
    throw error;
  }
};

/** A technician wants the rules of one controller at others of its site: each is written, or answered, for itself. */
export const handleRulesCopy = async (desk: UplinkDesk, device: DeviceId, ask: RulesCopy): Promise<string | null> => {
  const link = await claimedLink(desk, device);
  if (link === null) return 'the device is not claimed';
  const results: RulesCopied['results'] = [];
  for (const device_id of ask.to) results.push({ device_id, ...(await outcomeOf(desk, link, device_id, ask)) });
  const extent = await extentOf(desk.services, link.organizationId);
  if (extent === null) return 'the organization is gone';
  await desk.downlink.send(link, 'rules-copied', { v: 1, copy_id: ask.copy_id, revision: extent.revision, results });
  return null;
};
