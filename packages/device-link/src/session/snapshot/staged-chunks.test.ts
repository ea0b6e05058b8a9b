import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { describe, expect, it } from 'vitest';
import { applyChunks, digestOfEntries, entryKey, type SnapshotEntries } from './snapshot-entries.ts';
import type { HeldRevision } from './snapshot-storage.ts';
import { StagedChunks } from './staged-chunks.ts';

const [a, b] = ['dev_a', 'dev_b'].map((id): SliceEntry => ({ type: 'peer', id, serial: '01', public_key: 'x' })) as [
  SliceEntry,
  SliceEntry,
];

const chunk = (given: Partial<Slice>): Slice => ({
  v: 1,
  from: null,
  to: 5,
  digest_key_id: 'k',
  chunk: 0,
  chunks: 1,
  put: [],
  drop: [],
  digest: digestOfEntries([]),
  ...given,
});

class MemoryTarget {
  held: HeldRevision | null = null;
  entries: SnapshotEntries = new Map();

  apply(chunks: readonly [Slice, ...Slice[]]): boolean {
    const applied = applyChunks(this.entries, chunks);
    if (applied === null) return false;
    this.entries = applied;
    this.held = { revision: chunks[0].to, digest: chunks[0].digest };
    return true;
  }
}

const open = () => {
  const target = new MemoryTarget();
  return { target, staged: new StagedChunks(target) };
};

/** At revision 5, with two entries. */
const openFilled = () => {
  const world = open();
  const digest = digestOfEntries([a, b]);
  expect(world.staged.receive(chunk({ put: [a, b], digest }))).toEqual({
    kind: 'applied',
    held: { revision: 5, digest },
  });
  return world;
};

describe('StagedChunks', () => {
  it('replaces the snapshot, or changes it by a delta', () => {
    const { staged, target } = openFilled();
    const digest = digestOfEntries([b]);
    const delta = chunk({ from: 5, to: 6, drop: [{ type: 'peer', id: 'dev_a' }], digest });
    expect(staged.receive(delta)).toMatchObject({ kind: 'applied' });
    expect([...target.entries]).toEqual([[entryKey(b), b]]);
    expect(staged.held()).toEqual({ revision: 6, digest });
  });

  it('applies all chunks of a transfer together', () => {
    const { staged, target } = open();
    const digest = digestOfEntries([a, b]);
    expect(staged.receive(chunk({ chunks: 2, put: [a], digest }))).toEqual({ kind: 'staged' });
    expect(staged.underWay()).toEqual({ revision: 5, next_chunk: 1 });
    expect(target.entries.size).toBe(0);
    expect(staged.receive(chunk({ chunk: 1, chunks: 2, put: [b], digest }))).toMatchObject({ kind: 'applied' });
    expect(target.entries.size).toBe(2);
    expect(staged.underWay()).toBeNull();
  });

  const unusable: Readonly<Record<string, Partial<Slice>>> = {
    wrong_base: { from: 4, to: 6 },
    wrong_chunk: { chunk: 1, chunks: 2 },
    wrong_digest: { to: 6, put: [a], digest: digestOfEntries([b]) },
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
    expect(staged.underWay()).toBeNull();
  });
});
