import type { GroupAssociation } from '@lintel/access-core/access-data-types';
import { DAY_MS } from '@lintel/access-core/durations';
import { type Instant, instant } from '@lintel/access-core/instant';
import type { MemberLockout } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import { toDateTime, toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { type Kysely, sql } from 'kysely';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database } from '../storage/schema.ts';
import { loadOrganizationWithoutMembers } from './access-snapshot/organization-without-members.ts';
import { type ControllerDeliveryState, loadControllerDeliveryStates } from './controller-credential-delivery-states.ts';
import { listGadgetsByAssociation } from './effective-access.ts';

/** How long the console shows that all doors have locked a member out. */
const SHOWN_MS = DAY_MS;
/** The bridge forgets older changes, and every controller has received them. */
const KEPT_MS = 30 * DAY_MS;

type LockoutDoor = MemberLockout['doors'][number];

/** When a member has lost something, and the revision that a controller has to confirm. */
interface Withdrawal {
  readonly at: number;
  readonly revision: number;
}

interface AssociationRow {
  readonly id: string;
  readonly member_group_id: string;
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly is_deleted: number;
}

const loadRemovalTimes = async (
  db: Kysely<Database>,
  organizationId: string,
  memberId: string,
  since: number,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('events')
    .select(['object_member_group_association_id as id', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('object_member_id', '=', memberId)
    .where('created_at', '>=', since)
    .where('verb', '=', 'delete')
    .execute();
  return new Map(rows.flatMap(({ id, created_at }) => (id === null ? [] : [[id, created_at] as const])));
};

/** The changes that took access away, newest first. */
const loadWithdrawals = async (
  db: Kysely<Database>,
  organizationId: string,
  memberId: string,
): Promise<readonly (Withdrawal & { readonly withdraws: number })[]> => {
  const rows = await db
    .selectFrom('access_changes')
    .select(['revision', 'changed_at as at', 'withdraws'])
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', 'member')
    .where('object_id', '=', memberId)
    .where('withdraws', '<>', 0)
    .orderBy('revision', 'desc')
    .execute();
  return rows;
};

/** A credential that a controller accepts by itself. The bridge refuses the others at once. */
const hasCachedCredential = async (db: Kysely<Database>, memberId: string): Promise<boolean> => {
  for (const table of ['member_pins', 'member_cards', 'member_tokens'] as const) {
    const row = await db.selectFrom(table).select('id').where('member_id', '=', memberId).executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
};

/** When each of the controllers first served the revision; no entry if that was more than two days ago. */
const loadConfirmationTimes = async (
  db: Kysely<Database>,
  organizationId: string,
  revision: number,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('served_revisions')
    .select(['device_id', sql<number>`min(served_at)`.as('at')])
    .where('organization_id', '=', organizationId)
    .where('revision', '>=', revision)
    .groupBy('device_id')
    .execute();
  return new Map(rows.map(({ device_id, at }) => [device_id, at]));
};

const loadOfflineTime = async (db: Kysely<Database>, organizationId: string, deviceId: string) => {
  const event = await db
    .selectFrom('events')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .where('object_device_id', '=', deviceId)
    .where('reason', '=', 'offline')
    .orderBy('recorded_at', 'desc')
    .executeTakeFirst();
  return toDateTimeOrNull(event?.created_at ?? null);
};

/** A member that is deleted after its end has lost access by the end. A scheduled end was confirmed before it came. */
const findMemberEnd = (
  { is_deleted, ends_at }: { readonly is_deleted: number; readonly ends_at: number | null },
  withdrawals: readonly (Withdrawal & { readonly withdraws: number })[],
): Withdrawal => {
  const [newest, earlier] = withdrawals.filter(({ withdraws }) => withdraws === 1);
  const isDeletedLater = is_deleted === 1 && ends_at !== null && newest !== undefined && ends_at <= newest.at;
  const change = isDeletedLater ? earlier : newest;
  const end = is_deleted === 1 && !isDeletedLater ? 0 : (ends_at ?? 0);
  return { at: Math.max(end, change?.at ?? 0), revision: change?.revision ?? 0 };
};

/** The doors that the member had and does not have now, with the change that took each of them away. */
const listLostDoors = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
  memberId: string,
  now: Instant,
) => {
  const db = storage.reader;
  const member = await db
    .selectFrom('members')
    .select(['is_deleted', 'starts_at', 'ends_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .executeTakeFirst();
  const lost = new Map<string, Withdrawal>();
  const nothing = { lost, opensDoors: false, groups: new Set<string>() };
  if (member === undefined) return nothing;
  const withdrawals = await loadWithdrawals(db, organizationId, memberId);
  const removals = await loadRemovalTimes(db, organizationId, memberId, now - KEPT_MS);
  const associations: readonly AssociationRow[] = await db
    .selectFrom('member_group_associations')
    .select(['id', 'member_group_id', 'starts_at', 'ends_at', 'is_deleted'])
    .where('member_id', '=', memberId)
    .execute();
  const hasMemberEnded = member.is_deleted === 1 || (member.ends_at !== null && member.ends_at <= now);
  const hasEnded = ({ is_deleted, ends_at }: AssociationRow): boolean =>
    is_deleted === 1 || (ends_at !== null && ends_at <= now);
  if (!hasMemberEnded && !associations.some(hasEnded)) return nothing;
  const structure = await loadOrganizationWithoutMembers(db, organizationId);
  const undated = associations.map(row => ({ ...row, starts_at: null, ends_at: null }) as unknown as GroupAssociation);
  const opened = listGadgetsByAssociation(structure, undated, now);
  const memberEnd = findMemberEnd(member, withdrawals);
  const keeps = new Set<string>();
  const take = (gadgets: ReadonlySet<string> | undefined, withdrawal: Withdrawal): void => {
    for (const id of gadgets ?? []) {
      const known = lost.get(id);
      if (known === undefined || known.at < withdrawal.at) lost.set(id, withdrawal);
    }
  };
  for (const association of associations) {
    const { id, is_deleted, ends_at } = association;
    const gadgets = opened.get(id);
    const removedAt = is_deleted === 1 ? removals.get(id) : ends_at;
    // Removed longer ago than the bridge remembers.
    if (removedAt === undefined) continue;
    if (hasEnded(association) && !(hasMemberEnded && removedAt! >= memberEnd.at)) {
      const [newest] = withdrawals;
      const change = withdrawals.findLast(({ at }) => at >= removedAt!) ?? newest;
      take(gadgets, { at: removedAt!, revision: change?.revision ?? 0 });
    } else if (hasMemberEnded) take(gadgets, memberEnd);
    else for (const gadget of gadgets ?? []) keeps.add(gadget);
  }
  for (const id of keeps) lost.delete(id);
  const groups = new Set(associations.map(({ member_group_id }) => member_group_id));
  return { lost, opensDoors: keeps.size > 0, groups, structure };
};

/**
 * Where a member who has lost access is locked out, and which doors still open because their controller has not confirmed
 * it. Null if no access was taken away within a day and no door still opens.
 */
export const loadMemberLockout = async (
  services: Pick<BridgeServices, 'storage' | 'clock'>,
  organizationId: string,
  memberId: string,
  isVisible: (siteId: string) => boolean,
): Promise<MemberLockout | null> => {
  const db = services.storage.reader;
  const now = services.clock();
  const { lost, opensDoors, groups, structure } = await listLostDoors(services, organizationId, memberId, now);
  if (structure === undefined || lost.size === 0) return null;
  const isCached = await hasCachedCredential(db, memberId);
  const controllers = isCached ? await loadControllerDeliveryStates(services, organizationId, isVisible) : [];
  const mayHaveMember = ({ servedGroups }: ControllerDeliveryState): boolean =>
    [...groups].some(group => servedGroups.has(group));
  const doors: LockoutDoor[] = [];
  const confirmations = new Map<number, ReadonlyMap<string, number>>();
  for (const [gadgetId, { at, revision }] of lost) {
    const gadget = structure.gadgets.get(gadgetId);
    if (gadget === undefined || !isVisible(gadget.site_id)) continue;
    const own = controllers.filter(controller => controller.targets.has(gadgetId) && mayHaveMember(controller));
    const behind = own.filter(({ served_revision }) => (served_revision ?? -1) < revision);
    const door = { gadget_id: gadgetId, site_id: gadget.site_id, name: gadget.name };
    if (behind.length === 0) {
      if (at < now - SHOWN_MS) continue;
      const confirmed = confirmations.get(revision) ?? (await loadConfirmationTimes(db, organizationId, revision));
      confirmations.set(revision, confirmed);
      const times = own.map(({ device_id }) => confirmed.get(device_id) ?? at);
      const locked = toDateTime(instant(Math.max(at, ...times)));
      doors.push({
        ...door,
        status: 'locked_out',
        locked_out_at: locked,
        online: true,
        offline_since: null,
      } as LockoutDoor);
      continue;
    }
    const offline = behind.find(({ online }) => !online);
    const since = offline === undefined ? null : await loadOfflineTime(db, organizationId, offline.device_id);
    const open = { status: 'still_opens', locked_out_at: null, online: offline === undefined, offline_since: since };
    doors.push({ ...door, ...open } as LockoutDoor);
  }
  if (doors.length === 0) return null;
  const names = new Intl.Collator('en', { numeric: true });
  return { opens_other_doors: opensDoors, doors: doors.toSorted((a, b) => names.compare(a.name, b.name)) };
};
