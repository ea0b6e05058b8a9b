import { hash } from 'node:crypto';
import { encodeCanonicalEntry } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { SnapshotScope } from '../device-session-registry.ts';
import { type SerializedEntry, formatSnapshotEntryKey } from './snapshot-hashes.ts';
import type { SnapshotWithoutMembers } from './snapshot-structure.ts';

const SHORT_HASH_LENGTH = 16;

const serializeEntries = ({ entries }: SnapshotWithoutMembers): SerializedEntry[] =>
  entries.map(entry => ({ type: entry.type, id: entry.id, text: encodeCanonicalEntry(entry) }));

export const serializeSnapshotWithoutMembers = (
  deviceStructure: SnapshotWithoutMembers,
): { readonly scope: SnapshotScope; readonly entries: readonly SerializedEntry[] } => {
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
