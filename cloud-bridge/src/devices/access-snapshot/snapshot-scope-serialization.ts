import { hash } from 'node:crypto';
import { encodeCanonicalSnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { SnapshotScope } from '../device-session-registry.ts';
import { type SerializedSnapshotEntry, formatSnapshotEntryKey } from './snapshot-entry-hashes.ts';
import type { SnapshotWithoutMembers } from './snapshot-without-members.ts';

const SHORT_HASH_LENGTH = 16;

const serializeEntries = ({ entries }: SnapshotWithoutMembers): SerializedSnapshotEntry[] =>
  entries.map(entry => ({ type: entry.type, id: entry.id, text: encodeCanonicalSnapshotEntry(entry) }));

export const serializeSnapshotWithoutMembers = (
  deviceStructure: SnapshotWithoutMembers,
): { readonly scope: SnapshotScope; readonly entries: readonly SerializedSnapshotEntry[] } => {
  const entries = serializeEntries(deviceStructure);
  const structure = new Map(
    entries.map(entry => [formatSnapshotEntryKey(entry), hash('sha256', entry.text).slice(0, SHORT_HASH_LENGTH)]),
  );
  return { scope: { groups: deviceStructure.groups, structure }, entries };
};

export const serializeSnapshotScope = ({ groups, structure }: SnapshotScope): string =>
  JSON.stringify({ groups: [...groups], structure: Object.fromEntries(structure) });

export const parseSnapshotScope = (text: string): SnapshotScope => {
  const { groups, structure } = JSON.parse(text) as { groups: string[]; structure: Record<string, string> };
  return { groups: new Set(groups), structure: new Map(Object.entries(structure)) };
};
