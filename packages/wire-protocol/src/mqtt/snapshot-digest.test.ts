import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashSnapshotEntry, SnapshotDigest } from './snapshot-digest.ts';
import type { SnapshotEntry } from './snapshot-entry.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const hashOf = (entry: SnapshotEntry): Uint8Array => hashSnapshotEntry(entry, sha256);

const digestOf = (entries: readonly SnapshotEntry[]): string => {
  const digest = new SnapshotDigest();
  for (const entry of entries) digest.add(hashOf(entry));
  return digest.toString();
};

const entries = fc.uniqueArray(
  fc.record({ type: fc.constant('lift'), id: fc.string(), floors: fc.jsonValue({ maxDepth: 2 }) }),
  { selector: ({ id }) => id, maxLength: 12 },
);

describe('snapshot digest', () => {
  it('is zero for an empty snapshot and the hash for a single entry', () => {
    expect(digestOf([])).toBe('0'.repeat(64));
    const entry = { type: 'lift', id: 'lft_1' };
    const hash = createHash('sha256').update('{"id":"lft_1","type":"lift"}').digest('hex');
    expect(digestOf([entry])).toBe(hash);
  });

  it('rejects text that is not a digest', () => {
    for (const text of ['', '0'.repeat(63), 'G'.repeat(64), 'A'.repeat(64)]) {
      expect(() => new SnapshotDigest(text)).toThrow(RangeError);
    }
  });

  it('rejects a deeply nested entry before the stack overflows', () => {
    const nested = (depth: number): SnapshotEntry => {
      let floors: unknown = null;
      for (let level = 0; level < depth; level++) floors = [floors];
      return { type: 'lift', id: 'lft_1', floors } as SnapshotEntry;
    };
    expect(hashOf(nested(60))).toHaveLength(32);
    expect(() => hashOf(nested(100_000))).toThrow('nested too deeply');
  });

  it('does not depend on the order of keys and entries', () => {
    expect(hashOf({ type: 'lift', id: '1' })).toEqual(hashOf({ id: '1', type: 'lift' }));
    fc.assert(
      fc.property(entries, all => {
        expect(digestOf(all.toReversed())).toBe(digestOf(all));
      }),
    );
  });

  it('is the sum of the hashes modulo 2^256', () => {
    fc.assert(
      fc.property(entries, all => {
        const sum = all.reduce((total, entry) => total + BigInt(`0x${Buffer.from(hashOf(entry)).toString('hex')}`), 0n);
        expect(digestOf(all)).toBe((sum % 2n ** 256n).toString(16).padStart(64, '0'));
      }),
    );
  });

  it('returns to its former value when an entry is removed, also after serialization', () => {
    fc.assert(
      fc.property(entries, entries, (kept, gone) => {
        const digest = new SnapshotDigest(digestOf([...kept, ...gone]));
        for (const entry of gone) digest.subtract(hashOf(entry));
        expect(digest.toString()).toBe(digestOf(kept));
      }),
    );
  });
});
