import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemberId } from '../ids.ts';
import { KeyedRecords, NO_RECORD_NUMBER } from './keyed-records.ts';
import { DigestPacker } from './digest-packer.ts';
import { IdPacker } from './id-packer.ts';
import { readPackedUlid, writePackedUlid } from './packed-ulid.ts';
import { WordAllocator } from './word-allocator.ts';

const ulids = fc.tuple(
  fc.constantFrom(...Array.from('01234567')),
  fc.array(fc.constantFrom(...Array.from('0123456789abcdefghjkmnpqrstvwxyz')), { minLength: 25, maxLength: 25 }),
);
const ulid = ulids.map(([first, rest]) => first + rest.join(''));

describe('access index tables', () => {
  describe('a packed ULID', () => {
    it('unpacks to the same text and sorts in the same order', () => {
      fc.assert(
        fc.property(ulid, ulid, (a, b) => {
          const words = new Uint32Array(8);
          expect(writePackedUlid(a, 0, words, 0) && writePackedUlid(b, 0, words, 4)).toBe(true);
          expect([readPackedUlid(words, 0), readPackedUlid(words, 4)]).toEqual([a, b]);
          const differs = [0, 1, 2, 3].find(index => words[index] !== words[4 + index]);
          expect(differs !== undefined && words[differs]! < words[4 + differs]!).toBe(a < b);
        }),
      );
    });

    it('is rejected when the text would not survive the round trip', () => {
      const words = new Uint32Array(4);
      const good = '01k9zq3v5b7t9ynq2m4r6s8wxz';
      for (const bad of [
        good.toUpperCase(),
        `8${good.slice(1)}`,
        good.replace('z', 'i'),
        good.replace('z', 'ÿ'),
        good.replace('z', 'Ā'),
        good.replace('z', '-'),
      ]) {
        expect([bad, writePackedUlid(bad, 0, words, 0)]).toEqual([bad, false]);
      }
      expect([...words]).toEqual([0, 0, 0, 0]);
    });
  });

  describe('packed ids', () => {
    const anyId = fc
      .oneof(ulid, fc.constantFrom('x', '7'.padEnd(26, 'z'), '', 'mem_'))
      .map(suffix => `mem_${suffix}` as MemberId);

    it('keep all texts distinct, whether ULIDs or not', () => {
      fc.assert(
        fc.property(fc.uniqueArray(anyId, { maxLength: 8 }), ids => {
          const packed = new IdPacker<MemberId>('mem_');
          const words = new Uint32Array(4 * ids.length);
          for (const [index, id] of ids.entries()) packed.write(id, words, 4 * index);
          expect(ids.map((_, index) => packed.read(words, 4 * index))).toEqual(ids);
          const distinct = new Set(ids.map((_, index) => words.slice(4 * index, 4 * index + 4).join()));
          expect(distinct.size).toBe(ids.length);
        }),
      );
    });

    it('release a text that is not a ULID with its last holder', () => {
      const packed = new IdPacker<MemberId>('mem_');
      const words = new Uint32Array(8);
      const id = 'mem_made_elsewhere' as MemberId;
      packed.write(id, words, 0);
      packed.write(id, words, 4);
      packed.release(words, 0);
      expect(packed.writeForLookup(id, words, 0)).toBe(true);
      packed.release(words, 4);
      expect(packed.writeForLookup(id, words, 0)).toBe(false);
    });
  });

  it('packed digests keep all texts and subjects distinct', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('', '0', '00', '0'.repeat(64), '0'.repeat(65), 'AB', 'ab'));
    fc.assert(
      fc.property(fc.uniqueArray(text, { maxLength: 8 }), texts => {
        const digests = new DigestPacker();
        const seen = new Set<string>();
        for (const subject of [0, 2]) {
          for (const text of texts) {
            const words = new Uint32Array(9);
            digests.write(subject, text, words);
            expect([digests.read(words, 0), digests.subject(words, 0)]).toEqual([text, subject]);
            seen.add(words.join());
          }
        }
        expect(seen.size).toBe(2 * texts.length);
      }),
    );
  });

  describe('keyed records', () => {
    it('find exactly the records that are present after any order of adding and removing', () => {
      const step = fc.record({ key: fc.integer({ min: 0, max: 40 }), add: fc.boolean() });
      fc.assert(
        fc.property(fc.array(step, { maxLength: 300 }), steps => {
          const records = new KeyedRecords(1, 2);
          const held = new Map<number, number[]>();
          for (const { key, add } of steps) {
            const same = held.get(key) ?? [];
            if (add) same.push(records.add(Uint32Array.of(key)));
            else if (same.length > 0) records.remove(same.shift()!);
            held.set(key, same);
          }
          for (const [key, same] of held) {
            const found: number[] = [];
            const sought = Uint32Array.of(key);
            for (let at = records.find(sought); at !== NO_RECORD_NUMBER; at = records.findAfter(sought, at))
              found.push(at);
            expect(new Set(found)).toEqual(new Set(same));
            expect(found).toHaveLength(same.length);
          }
          expect(records.size).toBe([...held.values()].flat().length);
        }),
      );
    });

    it('keep every record in place while growing over many chunks', () => {
      const records = new KeyedRecords(2, 4);
      const count = 70_000;
      for (let number = 0; number < count; number++) {
        const record = records.add(Uint32Array.of(number, 7));
        records.words(record)[records.offset(record) + 2] = number;
        records.floats(record);
      }
      for (let number = 0; number < count; number += 7) records.remove(records.find(Uint32Array.of(number, 7)));
      for (let number = 0; number < count; number++) {
        const record = records.find(Uint32Array.of(number, 7));
        const value = record === NO_RECORD_NUMBER ? null : records.words(record)[records.offset(record) + 2];
        if (value !== (number % 7 === 0 ? null : number)) throw new Error(`record ${number} holds ${value}`);
      }
      expect(records.size).toBe(count - Math.ceil(count / 7));
    });
  });

  it('runs of words never overlap, may exceed a chunk, and are reused', () => {
    const runs = new WordAllocator();
    const lengths = [2, 65_536, 4, 65_538, 200_000, 2, 65_534];
    const taken = lengths.map(length => runs.allocate(length));
    for (const [number, run] of taken.entries())
      runs.words(run).fill(number + 1, runs.offset(run), runs.offset(run) + lengths[number]!);
    for (const [number, run] of taken.entries()) {
      const content = runs.words(run).subarray(runs.offset(run), runs.offset(run) + lengths[number]!);
      expect(content.length === lengths[number] && content.every(word => word === number + 1)).toBe(true);
    }
    expect(taken).not.toContain(0);
    runs.free(taken[4]!, 200_000);
    expect(runs.allocate(200_000)).toBe(taken[4]);
  });
});
