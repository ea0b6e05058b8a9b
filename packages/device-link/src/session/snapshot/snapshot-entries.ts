import { hash } from 'node:crypto';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import { entryHash, SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';

export type SnapshotEntries = ReadonlyMap<string, SliceEntry>;

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

export const entryKey = ({ type, id }: { readonly type: string; readonly id: string }): string => `${type} ${id}`;

export const hashOfEntry = (entry: SliceEntry): Uint8Array => entryHash(entry, sha256);

export const digestOfEntries = (entries: Iterable<SliceEntry>): string => {
  const digest = new SliceDigest();
  for (const entry of entries) digest.add(hashOfEntry(entry));
  return digest.toString();
};

/** The entries after a whole transfer; null when their digest is not the announced one. */
export const applyChunks = (
  before: SnapshotEntries,
  chunks: readonly [Slice, ...Slice[]],
): Map<string, SliceEntry> | null => {
  const [{ from, digest }] = chunks;
  const entries = new Map(from === null ? [] : before);
  for (const { put, drop } of chunks) {
    for (const entry of put) entries.set(entryKey(entry), entry);
    for (const key of drop) entries.delete(entryKey(key));
  }
  return digestOfEntries(entries.values()) === digest ? entries : null;
};
