import type { GroupAssociation } from '@lintel/access-core/access-data-types';
import { DAY_MS } from '@lintel/access-core/durations';
import type { Instant } from '@lintel/access-core/instant';
import type { MemberLockout } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import type { Kysely } from 'kysely';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { Database } from '../../storage/schema.ts';
import { loadOrganizationWithoutMembers } from '../access-snapshot/organization-without-members.ts';
import { listGadgetsByAssociation } from '../effective-access.ts';
import { loadMemberChanges, loadMemberDeletions, type MemberChange, revisionAt } from '../member-changes.ts';
import { describeLostDoors, type Withdrawal } from './doors.ts';
import { type GroupLoss, GroupLosses, SHOWN_MS } from './group-losses.ts';

/** The bridge forgets older changes, and every controller has received them. */
const KEPT_MS = 30 * DAY_MS;

interface AssociationRow {
  readonly id: string;
  readonly member_group_id: string;
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly is_deleted: number;
}

/** A credential that a controller accepts by itself. The bridge refuses the others at once. */
const hasCachedCredential = async (db: Kysely<Database>, memberId: string): Promise<boolean> => {
  for (const table of ['member_pins', 'member_cards', 'member_tokens'] as const) {
    const row = await db.selectFrom(table).select('id').where('member_id', '=', memberId).executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
};

/** A member that is deleted after its end has lost access by the end. A scheduled end was confirmed before it came. */
const findMemberEnd = (
  { is_deleted, ends_at }: { readonly is_deleted: number; readonly ends_at: number | null },
  withdrawals: readonly MemberChange[],
): Withdrawal => {
  const [newest, earlier] = withdrawals.filter(({ withdraws }) => withdraws === 1);
  const isDeletedLater = is_deleted === 1 && ends_at !== null && newest !== undefined && ends_at <= newest.at;
  const change = isDeletedLater ? earlier : newest;
  const end = is_deleted === 1 && !isDeletedLater ? 0 : (ends_at ?? 0);
  return { at: Math.max(end, change?.at ?? 0), revision: change?.revision ?? 0 };
};

/** The doors that a group opened before it lost them, with the latest loss of each. */
const listWholeLosses = (losses: GroupLosses | null, groupId: string): ReadonlyMap<string, GroupLoss> =>
  new Map([...(losses?.of(groupId) ?? [])].filter(([, { isWhole }]) => isWhole));

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
  const nothing = { lost, opensDoors: false, groups: new Set<string>(), structure: undefined };
  if (member === undefined) return nothing;
  const withdrawals = (await loadMemberChanges(db, organizationId, memberId)).filter(
    ({ withdraws }) => withdraws !== 0,
  );
  const removals = await loadMemberDeletions(db, organizationId, memberId, now - KEPT_MS);
  const associations: readonly AssociationRow[] = await db
    .selectFrom('member_group_associations')
    .select(['id', 'member_group_id', 'starts_at', 'ends_at', 'is_deleted'])
    .where('member_id', '=', memberId)
    .execute();
  const hasMemberEnded = member.is_deleted === 1 || (member.ends_at !== null && member.ends_at <= now);
  const hasEnded = ({ is_deleted, ends_at }: AssociationRow): boolean =>
    is_deleted === 1 || (ends_at !== null && ends_at <= now);
  const loadStructure = () => loadOrganizationWithoutMembers(db, organizationId);
  const losses = await GroupLosses.load(storage, organizationId, loadStructure, now);
  if (!hasMemberEnded && losses === null && !associations.some(hasEnded)) return nothing;
  const structure = await loadStructure();
  const undated = associations.map(row => ({ ...row, starts_at: null, ends_at: null }) as unknown as GroupAssociation);
  const opened = listGadgetsByAssociation(structure, undated, now);
  const memberEnd = findMemberEnd(member, withdrawals);
  const keeps = new Set<string>();
  const take = (id: string, withdrawal: Withdrawal): void => {
    const known = lost.get(id);
    if (known === undefined || known.at < withdrawal.at) lost.set(id, withdrawal);
  };
  /** What took the association away; null if it still counts. */
  const findEnd = (association: AssociationRow, removedAt: number): Withdrawal | null => {
    if (hasEnded(association) && !(hasMemberEnded && removedAt >= memberEnd.at))
      return { at: removedAt, revision: revisionAt(withdrawals, removedAt) ?? withdrawals[0]?.revision ?? 0 };
    return hasMemberEnded ? memberEnd : null;
  };
  for (const association of associations) {
    const { id, member_group_id, is_deleted, ends_at } = association;
    const removedAt = is_deleted === 1 ? removals.get(id) : (ends_at ?? Number.POSITIVE_INFINITY);
    // Removed longer ago than the bridge remembers.
    if (removedAt === undefined) continue;
    const end = findEnd(association, removedAt);
    for (const gadget of opened.get(id) ?? []) {
      if (end === null) keeps.add(gadget);
      else take(gadget, end);
    }
    // The group lost it before the member left the group, or after.
    for (const [gadget, loss] of listWholeLosses(losses, member_group_id))
      take(gadget, end !== null && end.at < loss.at ? end : loss);
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
  const now = services.clock();
  const { lost, opensDoors, groups, structure } = await listLostDoors(services, organizationId, memberId, now);
  if (structure === undefined || lost.size === 0) return null;
  const isCached = await hasCachedCredential(services.storage.reader, memberId);
  const lostAccess = { structure, lost, groups, isCached, shownSince: now - SHOWN_MS };
  const doors = await describeLostDoors(services, organizationId, lostAccess, isVisible);
  return doors.length === 0 ? null : { opens_other_doors: opensDoors, doors: [...doors] };
};
