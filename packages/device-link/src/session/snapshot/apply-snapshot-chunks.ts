import { hash } from 'node:crypto';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import { hashSnapshotEntry, SnapshotDigest } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';

/** A delta, or a full snapshot if `from` is null, with all its chunks. */
export interface CompleteSnapshotTransfer extends Pick<SnapshotChunkMqttMessage, 'from' | 'to'> {
  readonly digest: string;
  readonly chunks: readonly Pick<SnapshotChunkMqttMessage, 'put' | 'drop'>[];
}

export type SnapshotEntries = ReadonlyMap<string, SnapshotEntry>;

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

export const toSnapshotEntryKey = ({ type, id }: { readonly type: string; readonly id: string }): string =>
  `${type} ${id}`;

export const computeEntrySha256 = (entry: SnapshotEntry): Uint8Array => hashSnapshotEntry(entry, sha256);

export const digestSnapshotEntries = (entries: Iterable<SnapshotEntry>): string => {
  const digest = new SnapshotDigest();
  for (const entry of entries) digest.add(computeEntrySha256(entry));
  return digest.toString();
};

/** The entries after a whole transfer; null when their digest is not the announced one. */
export const applySnapshotChunks = (
  before: SnapshotEntries,
  { from, digest, chunks }: CompleteSnapshotTransfer,
): Map<string, SnapshotEntry> | null => {
  const entries = new Map(from === null ? [] : before);
  for (const { put, drop } of chunks) {
    for (const entry of put) entries.set(toSnapshotEntryKey(entry), entry);
    for (const key of drop) entries.delete(toSnapshotEntryKey(key));
  }
  return digestSnapshotEntries(entries.values()) === digest ? entries : null;
};
