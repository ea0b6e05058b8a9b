import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { describe, expect, it } from 'vitest';
import {
  applySnapshotChunks,
  type CompleteSnapshotTransfer,
  digestSnapshotEntries,
  toSnapshotEntryKey,
  type SnapshotEntries,
} from './apply-snapshot-chunks.ts';
import type { StoredRevision } from './snapshot-storage-interface.ts';
import { StagedSnapshotChunks } from './in-memory-staged-chunks.ts';

const [a, b] = ['dev_a', 'dev_b'].map((id): SnapshotEntry => ({ type: 'peer', id, serial: '01', public_key: 'x' })) as [
  SnapshotEntry,
  SnapshotEntry,
];

const chunk = (given: Partial<SnapshotChunkMqttMessage>): SnapshotChunkMqttMessage => ({
  v: 1,
  from: null,
  to: 5,
  digest_key_id: 'k',
  chunk: 0,
  chunks: 1,
  put: [],
  drop: [],
  digest: digestSnapshotEntries([]),
  ...given,
});

class MemoryTarget {
  held: StoredRevision | null = null;
  entries: SnapshotEntries = new Map();

  apply(transfer: CompleteSnapshotTransfer): boolean {
    const applied = applySnapshotChunks(this.entries, transfer);
    if (applied === null) return false;
    this.entries = applied;
    this.held = { revision: transfer.to, digest: transfer.digest };
    return true;
  }
}

const open = () => {
  const target = new MemoryTarget();
  return { target, staged: new StagedSnapshotChunks(target) };
};

/** At revision 5, with two entries. */
const openFilled = () => {
  const world = open();
  const digest = digestSnapshotEntries([a, b]);
  expect(world.staged.receive(chunk({ put: [a, b], digest }))).toEqual({
    kind: 'applied',
    held: { revision: 5, digest },
  });
  return world;
};

describe('StagedSnapshotChunks', () => {
  it('replaces the snapshot, or changes it by a delta', () => {
    const { staged, target } = openFilled();
    const digest = digestSnapshotEntries([b]);
    const delta = chunk({ from: 5, to: 6, drop: [{ type: 'peer', id: 'dev_a' }], digest });
    expect(staged.receive(delta)).toMatchObject({ kind: 'applied' });
    expect([...target.entries]).toEqual([[toSnapshotEntryKey(b), b]]);
    expect(staged.held()).toEqual({ revision: 6, digest });
  });

  it('applies all chunks of a transfer together', () => {
    const { staged, target } = open();
    const digest = digestSnapshotEntries([a, b]);
    expect(staged.receive(chunk({ chunks: 2, put: [a], digest }))).toEqual({ kind: 'staged' });
    expect(staged.pendingTransfer()).toEqual({ revision: 5, next_chunk: 1 });
    expect(target.entries.size).toBe(0);
    expect(staged.receive(chunk({ chunk: 1, chunks: 2, put: [b], digest }))).toMatchObject({ kind: 'applied' });
    expect(target.entries.size).toBe(2);
    expect(staged.pendingTransfer()).toBeNull();
  });

  it('applies chunks whose digest is known only with the last one', () => {
    const { staged, target } = open();
    const digest = digestSnapshotEntries([a, b]);
    expect(staged.receive(chunk({ chunks: null, put: [a], digest: null }))).toEqual({ kind: 'staged' });
    const last = chunk({ chunk: 1, chunks: 2, put: [b], digest });
    expect(staged.receive(last)).toEqual({ kind: 'applied', held: { revision: 5, digest } });
    expect(target.entries.size).toBe(2);
  });

  const unusable: Readonly<Record<string, Partial<SnapshotChunkMqttMessage>>> = {
    wrong_base: { from: 4, to: 6 },
    wrong_chunk: { chunk: 1, chunks: 2 },
    wrong_digest: { to: 6, put: [a], digest: digestSnapshotEntries([b]) },
  };
  for (const [reason, given] of Object.entries(unusable)) {
    it(`rejects a chunk with ${reason} and keeps its snapshot`, () => {
      const { staged, target } = openFilled();
      const { held, entries } = target;
      expect(staged.receive(chunk(given))).toEqual({ kind: 'refused', reason });
      expect([target.held, target.entries]).toEqual([held, entries]);
    });
  }

  it('discards a transfer when a chunk of another revision follows', () => {
    const { staged } = open();
    staged.receive(chunk({ chunks: 2 }));
    expect(staged.receive(chunk({ to: 6, chunk: 1, chunks: 2 }))).toEqual({ kind: 'refused', reason: 'wrong_chunk' });
    expect(staged.pendingTransfer()).toBeNull();
  });
});
