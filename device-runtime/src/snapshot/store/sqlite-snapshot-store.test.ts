import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotEntry, SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import {
  computeEntriesDigest,
  createMemberGroupEntry,
  createMemberEntry,
  createSnapshotChunk,
} from '../../testing/snapshot-entries.ts';
import { TEST_DIGEST_KEY, testCredentialDigester, testDataAuthenticator } from '../../testing/door-harness.ts';
import { SqliteSnapshotStore } from './sqlite-snapshot-store.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-slice-'));
  file = join(folder, 'slice.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const group = (number: number, permissions: readonly object[] = []): SnapshotEntry =>
  createMemberGroupEntry(`mg_${number}`, permissions);
const groups = (count: number): SnapshotEntry[] => Array.from({ length: count }, (_, number) => group(number));

const loaded = (cache: SqliteSnapshotStore): SnapshotEntry[] | null => {
  const entries: SnapshotEntry[] = [];
  return cache.load(entry => entries.push(entry)) ? entries : null;
};

const byId = (entries: readonly SnapshotEntry[]) => entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const delta = (
  from: number,
  to: number,
  put: SnapshotEntry[],
  drop: SnapshotEntryKey[],
  after: readonly SnapshotEntry[],
): SnapshotChunkMqttMessage => ({
  ...createSnapshotChunk(after, to, 'k'),
  from,
  put,
  drop,
});

/** The same change in this many chunks. */
const inChunks = (slice: SnapshotChunkMqttMessage, chunks: number): SnapshotChunkMqttMessage[] =>
  Array.from({ length: chunks }, (_, chunk) => ({
    ...slice,
    chunk,
    chunks,
    put: slice.put.filter((_entry, index) => index % chunks === chunk),
  }));

describe('SqliteSnapshotStore', () => {
  it('keeps a snapshot over a restart, verified by its digest', async () => {
    const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
    expect(cache.held()).toBeNull();
    const snapshot = createSnapshotChunk(groups(5), 7, 'k');
    expect(await cache.receive(snapshot)).toMatchObject({ kind: 'applied', held: { revision: 7 } });
    cache.close();
    const again = new SqliteSnapshotStore(file, testDataAuthenticator);
    expect(again.held()).toEqual({ revision: 7, digest: snapshot.digest, digest_key_id: 'k' });
    expect(byId(loaded(again)!)).toEqual(byId(groups(5)));
    again.close();
  });

  describe('on a disk that rejects writes', () => {
    const script = (path: string): string => `
    import { SqliteSnapshotStore } from ${JSON.stringify(join(import.meta.dirname, 'sqlite-snapshot-store.ts'))};
    import { DataAuthenticator } from ${JSON.stringify(join(import.meta.dirname, '../../state/data-authenticator.ts'))};
    const ids = [];
    const cache = new SqliteSnapshotStore(${JSON.stringify(path)}, new DataAuthenticator(Uint8Array.of(${TEST_DIGEST_KEY.join()})));
    const isWhole = cache.load(({ id }) => ids.push(id));
    console.log(JSON.stringify([isWhole, ids.length, cache.held()?.revision]));`;

    /** In a process in which every write to a file fails. */
    const readWithoutDisk = (path: string) =>
      spawnSync('prlimit', ['--fsize=0:', process.execPath, '--input-type=module', '-e', script(path)], {
        encoding: 'utf8',
      });

    it('is still read, including data left by a killed process, and is kept', async ({ skip }) => {
      if (spawnSync('prlimit', ['--version']).status !== 0) skip('needs prlimit of util-linux');
      const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
      await cache.receive(createSnapshotChunk(groups(5), 7, 'k'));
      const left = join(folder, 'left.db');
      for (const suffix of ['', '-wal']) copyFileSync(file + suffix, left + suffix);
      cache.close();
      // Earlier versions had no tables for a saved member index.
      const earlier = join(folder, 'earlier.db');
      copyFileSync(file, earlier);
      const database = new SqliteDatabase(earlier);
      database.exec('DROP TABLE member_index; DROP TABLE changed_members');
      database.close();
      for (const path of [file, left, earlier]) {
        expect(JSON.parse(readWithoutDisk(path).stdout)).toEqual([true, 5, 7]);
        const again = new SqliteSnapshotStore(path, testDataAuthenticator);
        expect(again.held()?.revision).toBe(7);
        again.close();
      }
    });

    it('keeps a file that cannot be opened unless it is damaged', () => {
      mkdirSync(file);
      const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
      expect([loaded(cache), cache.held()]).toEqual([null, null]);
      cache.close();
      expect(statSync(file).isDirectory()).toBe(true);
    });
  });

  it('returns the actual differences', async () => {
    const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
    await cache.receive(createSnapshotChunk(groups(5), 7, 'k'));
    const changed = group(1, [{ gadget_id: 'gad_1' }]);
    const after = [group(0), changed, group(2), group(3)];
    expect(await cache.receive(createSnapshotChunk(after, 8, 'k'))).toMatchObject({
      changes: { put: [changed], drop: [{ type: 'member_group', id: 'mg_4' }] },
    });
    expect(byId(loaded(cache)!)).toEqual(byId(after));
    cache.close();
  });

  it('applies a delta to its base revision only', async () => {
    const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
    await cache.receive(createSnapshotChunk(groups(2), 7, 'k'));
    const after = [group(1), group(2)];
    const change = (from: number) => delta(from, 9, [group(2)], [{ type: 'member_group', id: 'mg_0' }], after);
    expect(await cache.receive(change(6))).toEqual({ kind: 'refused', reason: 'wrong_base' });
    expect(await cache.receive(change(7))).toMatchObject({ kind: 'applied' });
    expect(byId(loaded(cache)!)).toEqual(after);
    cache.close();
  });

  it('changes nothing when the digest does not match', async () => {
    const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
    await cache.receive(createSnapshotChunk(groups(3), 7, 'k'));
    const wrong = delta(7, 8, [group(9)], [], groups(3));
    expect(await cache.receive(wrong)).toEqual({ kind: 'refused', reason: 'wrong_digest' });
    expect(cache.held()?.revision).toBe(7);
    expect(byId(loaded(cache)!)).toEqual(byId(groups(3)));
    expect(cache.pendingTransfer()).toBeNull();
    cache.close();
  });

  describe('with a change in chunks', () => {
    it('applies it with the last chunk, also after a power loss in between', async () => {
      const chunks = inChunks(createSnapshotChunk(groups(9), 7, 'k'), 3);
      const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
      expect(await cache.receive(chunks[0]!)).toEqual({ kind: 'staged' });
      expect(await cache.receive(chunks[1]!)).toEqual({ kind: 'staged' });
      expect(cache.held()).toBeNull();
      cache.close();
      const again = new SqliteSnapshotStore(file, testDataAuthenticator);
      expect(again.pendingTransfer()).toEqual({ revision: 7, next_chunk: 2 });
      expect(await again.receive(chunks[2]!)).toMatchObject({ kind: 'applied' });
      expect(again.pendingTransfer()).toBeNull();
      expect(loaded(again)).toHaveLength(9);
      again.close();
    });

    it('applies it if the digest is known only with the last chunk', async () => {
      const chunks = inChunks(createSnapshotChunk(groups(9), 7, 'k'), 3);
      const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
      for (const chunk of chunks.slice(0, 2))
        expect(await cache.receive({ ...chunk, chunks: null, digest: null })).toEqual({ kind: 'staged' });
      expect(await cache.receive(chunks[2]!)).toMatchObject({ kind: 'applied', held: { revision: 7 } });
      expect(loaded(cache)).toHaveLength(9);
      cache.close();
    });

    it('rejects repeated chunks, chunks out of order and chunks of another change', async () => {
      const chunks = inChunks(createSnapshotChunk(groups(9), 7, 'k'), 3);
      const others = inChunks(createSnapshotChunk(groups(8), 8, 'k'), 3);
      const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
      await cache.receive(chunks[0]!);
      for (const wrong of [chunks[2]!, others[1]!])
        expect(await cache.receive(wrong)).toEqual({ kind: 'refused', reason: 'wrong_chunk' });
      await cache.receive(chunks[1]!);
      expect(await cache.receive(chunks[1]!)).toEqual({ kind: 'refused', reason: 'wrong_chunk' });
      expect(await cache.receive(others[0]!)).toEqual({ kind: 'staged' });
      expect(cache.pendingTransfer()).toEqual({ revision: 8, next_chunk: 1 });
      cache.close();
    });
  });

  describe('discards a damaged file', () => {
    beforeEach(async () => {
      const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
      const members = Array.from({ length: 200 }, (_, number) =>
        createMemberEntry(testCredentialDigester, `mem_${number}`, {
          cards: [`04a1b2${number.toString(16).padStart(2, '0')}`],
        }),
      );
      await cache.receive(createSnapshotChunk(members, 7, 'k'));
      cache.close();
    });

    const overwrite = (position: number, bytes: Uint8Array): void => {
      const handle = openSync(file, 'r+');
      writeSync(handle, bytes, 0, bytes.length, position);
      closeSync(handle);
    };

    /** Position of a member of the snapshot in the file, in canonical form. */
    const somewhere = (): number => readFileSync(file).indexOf('"group_associations":[],"id":"mem_150"');

    it.each([
      ['that is not a database', () => writeFileSync(file, 'no database'.repeat(1_000))],
      ['with an overwritten first page', () => overwrite(0, new Uint8Array(4096).fill(0xff))],
      [
        'with an overwritten page',
        () => overwrite(Math.floor(somewhere() / 4096) * 4096, new Uint8Array(4096).fill(0xaa)),
      ],
      ['with one changed letter', () => overwrite(somewhere() + 2, Buffer.from('x'))],
    ])('%s', async (_, damage) => {
      damage();
      const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
      const entries = loaded(cache);
      expect(entries ?? []).toEqual([]);
      expect(cache.held()).toBeNull();
      expect(await cache.receive(createSnapshotChunk(groups(2), 8, 'k'))).toMatchObject({ kind: 'applied' });
      expect(loaded(cache)).toHaveLength(2);
      cache.close();
    });
  });

  it('holds the same as a plain map after any history of snapshots and deltas', async () => {
    const version = fc.dictionary(fc.constantFrom('0', '1', '2', '3', '4', '5'), fc.nat(2));
    const history = fc.array(fc.record({ version, snapshot: fc.boolean() }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(history, async steps => {
        const cache = new SqliteSnapshotStore(':memory:', testDataAuthenticator);
        let before: Readonly<Record<string, number>> = {};
        const entriesOf = (now: Readonly<Record<string, number>>) =>
          Object.entries(now).map(([id, value]) => group(Number(id), [{ gadget_id: `gad_${value}` }]));
        for (const [revision, { version: now, snapshot }] of steps.entries()) {
          const after = entriesOf(now);
          const put = after.filter(({ id }) => now[id.slice(3)] !== before[id.slice(3)]);
          const drop = Object.keys(before)
            .filter(id => !(id in now))
            .map(id => ({ type: 'member_group', id: `mg_${id}` }));
          const change =
            snapshot || revision === 0
              ? createSnapshotChunk(after, revision, 'k')
              : delta(revision - 1, revision, put, drop, after);
          expect(await cache.receive(change)).toMatchObject({
            kind: 'applied',
            held: { digest: computeEntriesDigest(after) },
          });
          expect(byId(loaded(cache)!)).toEqual(byId(after));
          before = now;
        }
        cache.close();
      }),
      { numRuns: iterations({ sample: 10, all: 40 }) },
    );
  });

  it('loads in small steps and yields to other work', async () => {
    const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
    await cache.receive(createSnapshotChunk(groups(1_203), 7, 'k'));
    const entries: SnapshotEntry[] = [];
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
    }, 0);
    expect(await cache.loadInBackground(entry => entries.push(entry))).toBe(true);
    clearInterval(others);
    expect(byId(entries)).toEqual(byId(groups(1_203)));
    expect(turns).toBeGreaterThan(0);
    cache.close();
  });

  it('is kept when a controller stops while reading it', async () => {
    const cache = new SqliteSnapshotStore(file, testDataAuthenticator);
    await cache.receive(createSnapshotChunk(groups(1_203), 7, 'k'));
    const reading = cache.loadInBackground(() => undefined);
    cache.close();
    expect(await reading).toBe(false);
    const again = new SqliteSnapshotStore(file, testDataAuthenticator);
    expect(loaded(again)).toHaveLength(1_203);
    again.close();
  });
});
