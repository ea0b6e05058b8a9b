import { MINUTE_MS } from '@lintel/access-core/durations';
import { noAlertNumbers } from '@lintel/access-core/alerts/describe-alert';
import { englishAlertTexts } from '@lintel/access-core/alerts/texts/english';
import type { AttentionItem } from '@lintel/wire-protocol/admin/attention-items';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import { toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { sql } from 'kysely';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { listReplacedControllerLogins } from './identity/controller-replacement.ts';
import { listWaitingControllers } from '../resources/controller-confirmation.ts';
import { findUnlocked, type Unlocked } from './unlocked-gadgets.ts';
import { type ControllerDeliveryState, loadControllerDeliveryStates } from './controller-credential-delivery-states.ts';

const { kinds: texts } = englishAlertTexts;
const LOW_BATTERY_PERCENT = 20;
/** Counting stops here: the controller has far more to receive than a person would look at. */
const MAX_COUNTED_MEMBERS = 1000;

export const createAttentionItem = (
  kind: AttentionItem['kind'],
  severity: AttentionItem['severity'],
  text: string,
  details: Partial<Record<Exclude<keyof AttentionItem, 'kind' | 'severity' | 'text'>, string | number | null>>,
): AttentionItem => ({
  kind,
  severity,
  text,
  since: null,
  site_id: null,
  device_id: null,
  gadget_id: null,
  webhook_id: null,
  oauth_application_id: null,
  rollout_id: null,
  incident_id: null,
  fault: null,
  address: null,
  count: null,
  ...(details as Partial<AttentionItem>),
});

/** Claimed devices that are offline, report a fault or run low on battery. */
export const loadDeviceAttentionItems = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
): Promise<AttentionItem[]> => {
  const rows = await storage.reader
    .selectFrom('device_links as l')
    .innerJoin('devices as d', 'd.id', 'l.device_id')
    .select(['d.id', 'd.site_id', 'd.name', 'd.status', 'l.offline_since'])
    .where('l.organization_id', '=', organizationId)
    .where('d.is_deleted', '=', 0)
    .orderBy('d.name')
    .execute();
  return rows.flatMap(({ id: device_id, site_id, name, status: json, offline_since }) => {
    const place = { device_id, site_id };
    const status = JSON.parse(json) as DeviceStatus;
    const items = (status.faults ?? []).map(({ code, since, message }) =>
      createAttentionItem('device_fault', code.includes('tamper') ? 'alarm' : 'warning', `${name}: ${message}`, {
        ...place,
        since,
        fault: code,
      }),
    );
    if (!status.online)
      items.push(
        createAttentionItem('device_offline', 'warning', texts.device_offline(name, noAlertNumbers), {
          ...place,
          since: toDateTimeOrNull(offline_since),
        }),
      );
    const { battery_percent: percent = 100 } = status;
    if (status.battery_present && !status.battery_charging && percent < LOW_BATTERY_PERCENT)
      items.push(
        createAttentionItem(
          'low_battery',
          'warning',
          texts.low_battery(name, { ...noAlertNumbers, percent: Math.round(percent) }),
          place,
        ),
      );
    return items;
  });
};

/** Controllers that get members only after a person has confirmed them. */
export const loadConfirmationAttentionItems = async (
  { storage, clock }: Pick<BridgeServices, 'storage' | 'clock'>,
  organizationId: string,
): Promise<AttentionItem[]> => {
  const waiting = await listWaitingControllers(storage.reader, organizationId, { now: clock() });
  return waiting.map(({ device_id, site_id, site_name, name, since, claimed_by }) =>
    createAttentionItem(
      'device_unconfirmed',
      'warning',
      texts.device_claimed(name, { ...noAlertNumbers, site: site_name, user: claimed_by, waits: true }),
      { device_id, site_id, since: toDateTimeOrNull(since) },
    ),
  );
};

/** Controllers that were replaced and are still in use somewhere. */
export const loadReplacedControllerAttentionItems = async (
  { storage, clock }: Pick<BridgeServices, 'storage' | 'clock'>,
  organizationId: string,
): Promise<AttentionItem[]> => {
  const logins = await listReplacedControllerLogins(storage.reader, organizationId, clock());
  return logins.map(({ device_id, site_id, name, address, at }) =>
    createAttentionItem(
      'replaced_controller',
      'warning',
      `A replaced controller of ${name} tried to log in from ${address}. Switch it off, or claim it again`,
      { device_id, site_id, address, since: toDateTimeOrNull(at) },
    ),
  );
};

const doorAlarms = { forced: 'door_forced', held_open: 'door_held_open' } as const;

/** A door that is unlocked for longer than this is listed. */
const UNLOCKED_MS = 10 * MINUTE_MS;
const unlockedStates = ['unlocked', 'open', 'held_open'];

/** False for a door that a schedule unlocks. Without its events, a door counts as unlocked for long. */
const isUnlockedForLong = ({ since, by, lockedBefore }: Unlocked, now: number): boolean =>
  by?.type !== 'schedule' && (since === null ? lockedBefore === null : now - since >= UNLOCKED_MS);

/** Doors that stay unlocked. */
export const loadUnlockedDoorAttentionItems = async (
  { storage, clock }: Pick<BridgeServices, 'storage' | 'clock'>,
  organizationId: string,
): Promise<AttentionItem[]> => {
  const rows = await storage.reader
    .selectFrom('gadgets')
    .select(['id', 'organization_id', 'site_id', 'device_id', 'name', 'state_id', 'states'])
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .where('state_id', 'in', unlockedStates)
    .orderBy('name')
    .execute();
  const items: AttentionItem[] = [];
  for (const gadget of rows) {
    const unlocked = await findUnlocked({ storage, clock }, gadget);
    if (unlocked === null || !isUnlockedForLong(unlocked, clock())) continue;
    const { id: gadget_id, site_id, device_id } = gadget;
    const since = toDateTimeOrNull(unlocked.since);
    items.push(
      createAttentionItem('door_unlocked', 'warning', `${gadget.name} is unlocked`, {
        gadget_id,
        site_id,
        device_id,
        since,
      }),
    );
  }
  return items;
};

/** Gadgets in the state of an alarm. */
export const loadDoorAttentionItems = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
): Promise<AttentionItem[]> => {
  const rows = await storage.reader
    .selectFrom('gadgets')
    .select(['id', 'site_id', 'device_id', 'name', 'state_id'])
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .where('state_id', 'in', Object.keys(doorAlarms))
    .orderBy('name')
    .execute();
  return rows.map(({ id: gadget_id, site_id, device_id, name, state_id }) => {
    const kind = doorAlarms[state_id as keyof typeof doorAlarms];
    const text = texts[kind](name, noAlertNumbers);
    return createAttentionItem(kind, 'alarm', text, { gadget_id, site_id, device_id });
  });
};

const countPendingMembers = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
  { requiredGroups, servedGroups, served_revision }: ControllerDeliveryState,
): Promise<number> => {
  const groups = [...new Set([...requiredGroups, ...servedGroups])];
  if (groups.length === 0) return 0;
  const isChanged = sql`c.organization_id = ${organizationId} and c.revision > ${served_revision ?? -1}`;
  const { rows } = await sql<{ readonly count: number }>`select count(*) as count from (
    select a.member_id from access_changes as c join member_group_associations as a on a.member_id = c.object_id
    where ${isChanged} and c.object_type = 'member'
      and ${buildIdInExpression(storage.engine, sql`a.member_group_id`, [...requiredGroups])}
    union select a.member_id from access_changes as c
    join member_group_associations as a on a.member_group_id = c.object_id and a.is_deleted = 0
    where ${isChanged} and c.object_type = 'member_group'
      and ${buildIdInExpression(storage.engine, sql`c.object_id`, groups)}
    limit ${MAX_COUNTED_MEMBERS}) as pending`.execute(storage.reader);
  return rows[0]!.count;
};

/** Controllers that have not confirmed the latest change of a member who uses their doors, or of a group of the member. */
export const loadCredentialDeliveryAttentionItems = async (
  services: Pick<BridgeServices, 'storage'>,
  organizationId: string,
): Promise<AttentionItem[]> => {
  const items: AttentionItem[] = [];
  for (const controller of await loadControllerDeliveryStates(services, organizationId, () => true)) {
    const count = await countPendingMembers(services, organizationId, controller);
    if (count === 0) continue;
    const { device_id, site_id, name, served_at: since } = controller;
    const members = `${count === MAX_COUNTED_MEMBERS ? 'at least ' : ''}${count} ${count === 1 ? 'member' : 'members'}`;
    const text = `${name} has not received changes of ${members}`;
    items.push(createAttentionItem('credentials_pending', 'notice', text, { device_id, site_id, since, count }));
  }
  return items;
};
