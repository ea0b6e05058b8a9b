import { setImmediate } from 'node:timers/promises';
import type { SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import {
  loadMembersWithCredentials,
  listMemberIdsEverInGroups,
  type MemberWithCredentials,
} from './members-with-credentials.ts';
import type { CredentialDigester } from '@lintel/crypto/credential-digester';
import { type SnapshotMemberGroups, serializeMemberEntry } from './member-entry-json.ts';
import { isMemberInGroups, wasMemberEverInGroups } from './is-member-in-groups.ts';
import type { OrganizationSnapshotData, SerializedSnapshotWithoutMembers } from './organization-snapshot-data.ts';
import { type SerializedSnapshotEntry, formatSnapshotEntryKey } from './snapshot-entry-hashes.ts';
import type { SnapshotScope } from '../device-session-registry.ts';

export interface SnapshotDelta {
  readonly put: readonly SerializedSnapshotEntry[];
  readonly drop: readonly SnapshotEntryKey[];
  /** The scope after the delta is applied. */
  readonly scope: SnapshotScope;
}

/** Members per page. If there is only one page, its members are cached for other controllers. */
const PAGE_SIZE = 1000;

const structureDelta = (
  before: SnapshotScope,
  { scope, entries }: SerializedSnapshotWithoutMembers,
): Pick<SnapshotDelta, 'put' | 'drop'> => ({
  put: entries.filter(
    entry => before.structure.get(formatSnapshotEntryKey(entry)) !== scope.structure.get(formatSnapshotEntryKey(entry)),
  ),
  drop: [...before.structure.keys()]
    .filter(key => !scope.structure.has(key))
    .map(key => ({ type: key.slice(0, key.indexOf(' ')), id: key.slice(key.indexOf(' ') + 1) })),
});

/** Groups that may add or remove members of the snapshot although the members have not changed. */
const changedGroups = async (
  view: OrganizationSnapshotData,
  from: number,
  before: SnapshotScope,
  after: SnapshotScope,
) => {
  const { groups } = await view.structure();
  const { others } = await view.changesSince(from);
  const deleted = others.filter(({ type, id }) => type === 'member_group' && !groups.has(id)).map(({ id }) => id);
  const removed = [...before.groups].filter(id => !after.groups.has(id));
  const added = [...after.groups].filter(id => !before.groups.has(id));
  return [...removed, ...added, ...deleted];
};

const snapshotGroupsOf = async (
  view: OrganizationSnapshotData,
  relevant: ReadonlySet<string>,
): Promise<SnapshotMemberGroups> => {
  const { groups } = await view.structure();
  return { relevant, exists: id => groups.has(id) };
};

const deltaOf = (
  member: MemberWithCredentials,
  groupsBeforeAndAfter: ReadonlySet<string>,
  groups: SnapshotMemberGroups,
  digester: CredentialDigester,
) => {
  const key = { type: 'member', id: member.id };
  if (isMemberInGroups(member, groups.relevant))
    return { put: { ...key, text: serializeMemberEntry(member, groups, digester) } };
  return wasMemberEverInGroups(member, groupsBeforeAndAfter) ? { drop: key } : null;
};

/** Computes the entries to add and to remove between a revision and the view. Null for a deleted device. */
export const computeSnapshotDelta = async (
  view: OrganizationSnapshotData,
  deviceId: string,
  from: number,
  before: SnapshotScope,
  digester: CredentialDigester,
): Promise<SnapshotDelta | null> => {
  const { members, others } = await view.changesSince(from);
  const structure = others.length === 0 ? null : await view.structureFor(deviceId);
  if (structure === null && others.length > 0) return null;
  const scope = structure?.scope ?? before;
  const affectedMembers =
    structure === null
      ? []
      : await listMemberIdsEverInGroups(view.source, await changedGroups(view, from, before, scope));
  const structureChanges = structure === null ? { put: [], drop: [] } : structureDelta(before, structure);
  const [put, drop] = [[...structureChanges.put], [...structureChanges.drop]];
  const groupsBeforeAndAfter = new Set([...before.groups, ...scope.groups]);
  const groups = await snapshotGroupsOf(view, scope.groups);
  const ids = [...new Set([...members, ...affectedMembers])];
  for (let at = 0; at < ids.length; at += PAGE_SIZE) {
    if (at > 0) await setImmediate();
    const page = ids.slice(at, at + PAGE_SIZE);
    const records =
      ids.length <= PAGE_SIZE
        ? await view.records(page)
        : (await loadMembersWithCredentials(view.source, page)).values();
    for (const record of records) {
      const change = deltaOf(record, groupsBeforeAndAfter, groups, digester);
      if (change === null) continue;
      if ('put' in change) put.push(change.put);
      else drop.push(change.drop);
    }
  }
  return { put, drop, scope };
};

/** All entries of a controller's snapshot in pages. Yields to the event loop between pages. */
export async function* streamSnapshotEntries(
  view: OrganizationSnapshotData,
  structure: SerializedSnapshotWithoutMembers,
  digester: CredentialDigester,
): AsyncGenerator<readonly SerializedSnapshotEntry[]> {
  yield structure.entries;
  const groups = await snapshotGroupsOf(view, structure.scope.groups);
  const ids = await view.memberIdsIn(structure.scope.groups);
  for (let at = 0; at < ids.length; at += PAGE_SIZE) {
    await setImmediate();
    const page = ids.slice(at, at + PAGE_SIZE);
    const records =
      ids.length <= PAGE_SIZE
        ? await view.records(page)
        : [...(await loadMembersWithCredentials(view.source, page)).values()];
    yield records
      .filter(record => isMemberInGroups(record, groups.relevant))
      .map(record => ({ type: 'member', id: record.id, text: serializeMemberEntry(record, groups, digester) }));
  }
}
