import { hash } from 'node:crypto';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import { entryHash, SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { describe, expect, it } from 'vitest';
import { type HeldSlice, takeChunk } from './held-slice.ts';
import { PeerDirectory } from './peer-directory.ts';

const peer = (id: string, serial: string, ...renewed: string[]): SliceEntry => ({
  type: 'peer',
  id,
  serial,
  public_key: `key of ${serial}`,
  name: `name of ${id}`,
  certificates: [serial, ...renewed].map(one => ({ serial: one, public_key: `key of ${one}` })),
});

const digestOf = (...entries: readonly SliceEntry[]): string => {
  const digest = new SliceDigest();
  for (const entry of entries) digest.add(entryHash(entry, bytes => hash('sha256', bytes, 'buffer')));
  return digest.toString();
};

const chunk = (given: Partial<Slice>): Slice => ({
  v: 1,
  from: null,
  to: 5,
  digest_key_id: 'k',
  chunk: 0,
  chunks: 1,
  put: [],
  drop: [],
  digest: digestOf(),
  ...given,
});

const [a, b] = [peer('dev_a', '0a'), peer('dev_b', '0b', '1b')];
const held: HeldSlice = { revision: 5, digest: digestOf(a, b), entries: [a, b] };

describe('gateway snapshot', () => {
  it('is replaced by a snapshot or changed by a delta', () => {
    const whole = takeChunk(null, [], chunk({ put: [a, b], digest: digestOf(a, b) }));
    expect(whole).toEqual({ slice: held });
    const change = chunk({ from: 5, to: 6, drop: [{ type: 'peer', id: 'dev_a' }], digest: digestOf(b) });
    expect(takeChunk(held, [], change)).toEqual({ slice: { revision: 6, digest: digestOf(b), entries: [b] } });
  });

  it('is assembled from chunks, and the next group is requested', () => {
    const part = (index: number) =>
      chunk({ chunk: index, chunks: 9, put: index === 8 ? [a] : [], digest: digestOf(a) });
    let staged: readonly Slice[] = [];
    for (let index = 0; index < 8; index++) {
      const taken = takeChunk(null, staged, part(index));
      expect(taken).toMatchObject({ ask: index === 7 });
      staged = 'staged' in taken ? taken.staged : [];
    }
    expect(takeChunk(null, staged, part(8))).toMatchObject({ slice: { entries: [a] } });
  });

  it('rejects data that does not fit', () => {
    expect(takeChunk(held, [], chunk({ from: 4, to: 6 }))).toHaveProperty('misfit');
    expect(takeChunk(held, [], chunk({ chunk: 1, chunks: 2 }))).toHaveProperty('misfit');
    expect(takeChunk(held, [], chunk({ put: [a], digest: digestOf(b) }))).toHaveProperty('misfit');
    expect(takeChunk(held, [chunk({ chunks: 2 })], chunk({ to: 6, chunk: 1, chunks: 2 }))).toHaveProperty('misfit');
  });

  it('lists the allowed devices with every valid certificate', () => {
    const book = new PeerDirectory(held.entries);
    expect([book.deviceOf('0a'), book.deviceOf('0b'), book.deviceOf('1b'), book.deviceOf('2b')]).toEqual([
      'dev_a',
      'dev_b',
      'dev_b',
      null,
    ]);
    expect(book.verifierOf('dev_b', '1b')).not.toBeNull();
    expect(book.verifierOf('dev_a', '1b')).toBeNull();
    expect([...book.names()]).toEqual([
      ['dev_a', 'name of dev_a'],
      ['dev_b', 'name of dev_b'],
    ]);
  });
});
