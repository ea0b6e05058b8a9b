import { setImmediate } from 'node:timers/promises';
import { loadMemberRecords, memberIdsIn, memberIdsOnceIn, type MemberRecord } from './member-records.ts';
import type { Digester } from '@lintel/crypto/credential-digester';
import { type GroupView, isHeld, mayHaveHeld, memberText } from './member-text.ts';
import type { OrganizationView, OwnStructure } from './organization-view.ts';
import { type EntryKey, type EntryText, keyOf } from './slice-hashes.ts';
import type { SliceScope } from '../sessions.ts';

export interface SliceDelta {
  readonly put: readonly EntryText[];
  readonly drop: readonly EntryKey[];
  /** What the slice is made of afterwards. */
  readonly scope: SliceScope;
}

/** More than that are not worth being read once for all. */
const FEW = 1000;

const structureDelta = (before: SliceScope, { scope, texts }: OwnStructure): Pick<SliceDelta, 'put' | 'drop'> => ({
  put: texts.filter(entry => before.structure.get(keyOf(entry)) !== scope.structure.get(keyOf(entry))),
  drop: [...before.structure.keys()]
    .filter(key => !scope.structure.has(key))
    .map(key => ({ type: key.slice(0, key.indexOf(' ')), id: key.slice(key.indexOf(' ') + 1) })),
});

/** Groups whose members may come or go, though nothing was done to the members themselves. */
const changedGroups = async (view: OrganizationView, from: number, before: SliceScope, after: SliceScope) => {
  const { groups } = await view.structure();
  const { others } = await view.changesSince(from);
  const deleted = others.filter(({ type, id }) => type === 'member_group' && !groups.has(id)).map(({ id }) => id);
  const gone = [...before.groups].filter(id => !after.groups.has(id));
  const come = [...after.groups].filter(id => !before.groups.has(id));
  return [...gone, ...come, ...deleted];
};

const groupViewOf = async (view: OrganizationView, relevant: ReadonlySet<string>): Promise<GroupView> => {
  const { groups } = await view.structure();
  return { relevant, isLiving: id => groups.has(id) };
};

const judge = (member: MemberRecord, everRelevant: ReadonlySet<string>, groups: GroupView, digester: Digester) => {
  const key = { type: 'member', id: member.id };
  if (isHeld(member, groups.relevant)) return { put: { ...key, text: memberText(member, groups, digester) } };
  return mayHaveHeld(member, everRelevant) ? { drop: key } : null;
};

/**
 * What a controller must put and drop to come from a revision, of which it is known what its slice was made of, to the
 * view's. Null when the device is gone.
 */
export const sliceDelta = async (
  view: OrganizationView,
  deviceId: string,
  from: number,
  before: SliceScope,
  digester: Digester,
): Promise<SliceDelta | null> => {
  const { members, others } = await view.changesSince(from);
  const own = others.length === 0 ? null : await view.ownStructure(deviceId);
  if (own === null && others.length > 0) return null;
  const scope = own?.scope ?? before;
  const moved = own === null ? [] : await memberIdsOnceIn(view.source, await changedGroups(view, from, before, scope));
  const told = own === null ? { put: [], drop: [] } : structureDelta(before, own);
  const [put, drop] = [[...told.put], [...told.drop]];
  const everRelevant = new Set([...before.groups, ...scope.groups]);
  const groups = await groupViewOf(view, scope.groups);
  const ids = [...new Set([...members, ...moved])];
  for (let at = 0; at < ids.length; at += FEW) {
    if (at > 0) await setImmediate();
    const page = ids.slice(at, at + FEW);
    const records =
      ids.length <= FEW ? await view.records(page) : (await loadMemberRecords(view.source, page)).values();
    for (const record of records) {
      const verdict = judge(record, everRelevant, groups, digester);
      if (verdict === null) continue;
      if ('put' in verdict) put.push(verdict.put);
      else drop.push(verdict.drop);
    }
  }
  return { put, drop, scope };
};

/** Every entry of the controller's slice, page by page, with a look at the rest of the world between two of them. */
export async function* wholeSlice(
  view: OrganizationView,
  own: OwnStructure,
  digester: Digester,
): AsyncGenerator<readonly EntryText[]> {
  yield own.texts;
  const groups = await groupViewOf(view, own.scope.groups);
  const ids = await memberIdsIn(view.source, own.scope.groups);
  for (let at = 0; at < ids.length; at += FEW) {
    await setImmediate();
    const page = ids.slice(at, at + FEW);
    const records =
      ids.length <= FEW ? await view.records(page) : [...(await loadMemberRecords(view.source, page)).values()];
    yield records
      .filter(record => isHeld(record, groups.relevant))
      .map(record => ({ type: 'member', id: record.id, text: memberText(record, groups, digester) }));
  }
}
