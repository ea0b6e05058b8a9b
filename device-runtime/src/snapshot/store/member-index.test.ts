import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import type { MemberId } from '@lintel/access-core/ids';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { DataAuthenticator } from '../../state/data-authenticator.ts';
import { testCredentialDigester, testDataAuthenticator } from '../../testing/door-harness.ts';
import { loadSnapshotStore, type LoadedSnapshotStore, saveMemberIndex } from '../../testing/load-snapshot-store.ts';
import { createMemberEntry, createMemberGroupEntry, createSnapshotChunk } from '../../testing/snapshot-entries.ts';
import type { SnapshotStoreOptions } from './sqlite-snapshot-store.ts';

let folder: string;
let file: string;
let indexFile: string;
let opened: LoadedSnapshotStore[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-member-index-'));
  [file, indexFile, opened] = [join(folder, 'slice.db'), join(folder, 'member-index'), []];
});
afterEach(() => {
  for (const { store } of opened) store.close();
  rmSync(folder, { recursive: true });
});

const start = (options?: SnapshotStoreOptions, authenticator = testDataAuthenticator): LoadedSnapshotStore => {
  const loaded = loadSnapshotStore(file, authenticator, options);
  opened.push(loaded);
  return loaded;
};
const stop = (): void => {
  for (const { store } of opened.splice(0)) store.close();
};

const uidOf = (number: number, version = 0): string => `04${version}0${number.toString(16).padStart(4, '0')}`;
const member = (number: number, version = 0): SnapshotEntry =>
  createMemberEntry(testCredentialDigester, `mem_${number}`, { cards: [uidOf(number, version)], groups: ['mg_all'] });
const members = (count: number): SnapshotEntry[] => Array.from({ length: count }, (_, number) => member(number));
const group = createMemberGroupEntry('mg_all', [{}]);
const COUNT = 100;
const everyone = [group, ...members(COUNT)];

/** Receives the entries as a snapshot or a delta, and activates the changes. */
const receive = async (loaded: LoadedSnapshotStore, entries: readonly SnapshotEntry[], revision: number) => {
  const received = await loaded.store.receive(createSnapshotChunk(entries, revision, 'k'));
  if (received.kind === 'applied' && received.changes !== 'everything') loaded.snapshot.apply(received.changes);
  return received;
};

const readMembers = ({ snapshot: { index } }: LoadedSnapshotStore, count = COUNT) => ({
  count: index.memberCount,
  members: Array.from({ length: count }, (_, number) => index.member(`mem_${number}` as MemberId)),
  groups: index.memberGroup('mg_all' as never),
});

/** A saved index of a hundred members; member 0 was dropped and member 1 was changed after it. */
const prepare = async (): Promise<ReturnType<typeof readMembers>> => {
  const first = start();
  await receive(first, everyone, 1);
  expect(await saveMemberIndex(first)).toBe(true);
  await receive(first, [group, member(1, 1), ...everyone.slice(3)], 2);
  const expected = readMembers(first);
  stop();
  return expected;
};

const editDatabase = (sql: string): void => {
  const database = new SqliteDatabase(file);
  database.exec(sql);
  database.close();
};

describe('the saved member index', () => {
  it('loads the same members as the entries, with all later changes', async () => {
    const expected = await prepare();
    const saved = start();
    expect([saved.isFromMemberIndex, readMembers(saved)]).toEqual([true, expected]);
    expect(expected.members.slice(0, 2)).toMatchObject([undefined, { id: 'mem_1' }]);
    expect(await saved.store.verifyInBackground()).toBe(true);
    stop();
    rmSync(indexFile);
    const full = start();
    expect([full.isFromMemberIndex, full.isIntact, readMembers(full)]).toEqual([false, true, expected]);
  });

  it('is readable for its owner only', async () => {
    await prepare();
    expect(statSync(indexFile).mode & 0o777).toBe(0o600);
  });

  it('is the same as the entries after any history of changes, saves and restarts', async () => {
    const step = fc.record({
      versions: fc.dictionary(fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7'), fc.nat(2)),
      permissions: fc.nat(1),
      isSaved: fc.boolean(),
      isRestarted: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async steps => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        let loaded = start();
        let revision = 0;
        let hasIndex = false;
        for (const { versions, permissions, isSaved, isRestarted } of steps) {
          const entries = [
            createMemberGroupEntry(
              'mg_all',
              Array.from({ length: permissions }, () => ({})),
            ),
            ...Object.entries(versions).map(([number, version]) => member(Number(number), version)),
            // Many members, so that the changes of a few do not invalidate the index.
            ...members(COUNT).slice(8),
          ];
          await receive(loaded, entries, (revision += 1));
          if (isSaved) hasIndex = (await saveMemberIndex(loaded)) || hasIndex;
          if (!isRestarted) continue;
          const expected = readMembers(loaded);
          stop();
          loaded = start();
          expect([loaded.isFromMemberIndex, readMembers(loaded)]).toEqual([hasIndex, expected]);
          expect(await loaded.store.verifyInBackground()).toBe(true);
        }
        stop();
      }),
      { numRuns: iterations({ sample: 15, all: 100 }) },
    );
  });

  describe('is not used', () => {
    const expectFullLoad = (expected: object, options?: SnapshotStoreOptions): void => {
      const loaded = start(options);
      expect([loaded.isFromMemberIndex, loaded.isIntact, readMembers(loaded)]).toEqual([false, true, expected]);
      stop();
    };

    it('when it is truncated', async () => {
      const expected = await prepare();
      const bytes = readFileSync(indexFile);
      const lengths = [0, 1, 7, 8, 9, 50, 4096, bytes.length >> 1, bytes.length - 8, bytes.length - 1];
      for (const length of lengths) {
        copyFileSync(file, `${file}.copy`);
        writeFileSync(indexFile, bytes.subarray(0, length));
        expectFullLoad(expected);
        copyFileSync(`${file}.copy`, file);
      }
    });

    it('when a bit of it is wrong', async () => {
      const expected = await prepare();
      const bytes = readFileSync(indexFile);
      copyFileSync(file, `${file}.copy`);
      const count = iterations({ sample: 20, all: 200 });
      for (let flip = 0; flip < count; flip++) {
        // Every second one in the sections at the beginning, which contain lengths.
        const position = Math.floor(((flip + 0.5) * (flip % 2 === 0 ? 400 : bytes.length)) / count);
        const wrong = Buffer.from(bytes);
        wrong[position]! ^= 1 << (flip % 8);
        writeFileSync(indexFile, wrong);
        expectFullLoad(expected);
        copyFileSync(`${file}.copy`, file);
      }
    });

    it.each([
      [
        'an entry that is not a member is changed',
        `UPDATE entries SET body = replace(body, '{}', '') WHERE type = 'member_group'`,
      ],
      ['an entry that is not a member is missing', `DELETE FROM entries WHERE type = 'member_group'`],
    ])('when %s', async (_, sql) => {
      await prepare();
      editDatabase(sql);
      const loaded = start();
      expect([loaded.isFromMemberIndex, loaded.isIntact]).toEqual([false, false]);
    });

    it.each([
      ['the record of a change is missing', `DELETE FROM changed_members WHERE id = 'mem_0'`],
      ['all records of changes are missing', `DELETE FROM changed_members`],
      ['a record of a change is for another member', `UPDATE changed_members SET id = 'mem_7' WHERE id = 'mem_0'`],
      ['there is another record of a change', `INSERT INTO changed_members (id) VALUES ('mem_7')`],
      [
        'a recorded change is not the one that was committed',
        `UPDATE changed_members SET body = (SELECT body FROM entries WHERE id = 'mem_9') WHERE id = 'mem_1'`,
      ],
      [
        'a dropped member is recorded with its earlier body',
        `UPDATE changed_members SET body = (SELECT replace(body, 'mem_9', 'mem_0') FROM entries WHERE id = 'mem_9') WHERE id = 'mem_0'`,
      ],
      ['its seal is wrong', `UPDATE member_index SET seal = 'x' || substr(seal, 2)`],
      ['its number of members is wrong', `UPDATE member_index SET members = 1000000`],
      ['its record is missing', `DELETE FROM member_index`],
      ['an earlier version has no tables for it', `DROP TABLE changed_members; DROP TABLE member_index`],
    ])('when %s', async (_, sql) => {
      const expected = await prepare();
      editDatabase(sql);
      expectFullLoad(expected);
    });

    it('when it is older or newer than the entries', async () => {
      await prepare();
      const older = { index: readFileSync(indexFile), entries: readFileSync(file) };
      const second = start();
      const afterwards = [group, ...everyone.slice(11)];
      await second.store.verifyInBackground();
      await receive(second, afterwards, 3);
      const expected = readMembers(second);
      expect(await saveMemberIndex(second)).toBe(true);
      stop();
      const newer = { index: readFileSync(indexFile), entries: readFileSync(file) };
      writeFileSync(indexFile, older.index);
      expectFullLoad(expected);
      writeFileSync(indexFile, newer.index);
      writeFileSync(file, older.entries);
      const rolledBack = start();
      expect([rolledBack.isFromMemberIndex, rolledBack.store.held()?.revision]).toEqual([false, 2]);
    });

    it('by another controller or another version of the program', async () => {
      const expected = await prepare();
      const stranger = start({}, new DataAuthenticator(new Uint8Array(32).fill(8)));
      expect([stranger.isFromMemberIndex, stranger.isIntact, stranger.store.held()]).toEqual([false, false, null]);
      stop();
      expectFullLoad(expected, { programVersion: '9.9.9' });
    });

    it('after an earlier version changed the entries without recording it', async () => {
      await prepare();
      copyFileSync(file, `${file}.copy`);
      const other = start();
      await other.store.verifyInBackground();
      await receive(other, [group, ...everyone.slice(5)], 3);
      const expected = readMembers(other);
      stop();
      // The records as they were before.
      editDatabase(
        `ATTACH '${file}.copy' AS before; DELETE FROM changed_members; DELETE FROM member_index;
         INSERT INTO changed_members SELECT * FROM before.changed_members;
         INSERT INTO member_index SELECT * FROM before.member_index;`,
      );
      expectFullLoad(expected);
    });
  });

  it('does not hide damaged entries: a full snapshot replaces them, and those in memory', async () => {
    const expected = await prepare();
    editDatabase(`UPDATE entries SET body = replace(body, 'mem_50', 'mem_x') WHERE id = 'mem_50'`);
    const loaded = start();
    expect([loaded.isFromMemberIndex, readMembers(loaded)]).toEqual([true, expected]);
    // Received before the end of the verification: not applied to damaged entries.
    const change = { ...createSnapshotChunk([group, ...everyone.slice(20)], 3, 'k'), from: 2, put: [], drop: [] };
    const verifying = loaded.store.verifyInBackground();
    const waiting = loaded.store.receive(change);
    expect(await verifying).toBe(false);
    expect([await waiting, loaded.store.held()]).toMatchObject([{ kind: 'refused' }, null]);
    expect(loaded.store.chooseMemberIndexAction(COUNT)).toBe('none');
    expect(await saveMemberIndex(loaded)).toBe(false);
    // The differences to the damaged entries are unknown.
    expect(await receive(loaded, [group, member(1)], 4)).toMatchObject({ kind: 'applied', changes: 'everything' });
  });

  it('is not replaced while the entries change, and is saved later', async () => {
    const expected = await prepare();
    const loaded = start();
    await loaded.store.verifyInBackground();
    const before = readFileSync(indexFile);
    const saving = saveMemberIndex(loaded);
    await receive(loaded, [group, ...everyone.slice(3)], 3);
    expect(await saving).toBe(false);
    expect(readFileSync(indexFile).equals(before)).toBe(true);
    expect(existsSync(`${indexFile}.new`)).toBe(false);
    expect(readMembers(loaded)).not.toEqual(expected);
    const after = readMembers(loaded);
    stop();
    const again = start();
    expect([again.isFromMemberIndex, readMembers(again)]).toEqual([true, after]);
    await again.store.verifyInBackground();
    expect(await saveMemberIndex(again)).toBe(true);
    stop();
    expect(readMembers(start())).toEqual(after);
  });

  it('survives a stop while it is being replaced', async () => {
    const expected = await prepare();
    const loaded = start();
    await loaded.store.verifyInBackground();
    const saving = saveMemberIndex(loaded);
    stop();
    expect(await saving).toBe(false);
    writeFileSync(`${indexFile}.new`, 'the part that a killed process has written');
    const again = start();
    expect([again.isFromMemberIndex, readMembers(again)]).toEqual([true, expected]);
  });

  it('is omitted when it cannot be written', async () => {
    mkdirSync(`${indexFile}.new`);
    const loaded = start();
    await receive(loaded, everyone, 1);
    expect(loaded.store.chooseMemberIndexAction(COUNT)).toBe('save');
    expect(await saveMemberIndex(loaded)).toBe(false);
    expect(loaded.store.held()?.revision).toBe(1);
  });

  it('is due for many members and after many changes, and is deleted when few remain', async () => {
    const loaded = start({ fewestIndexedMembers: COUNT / 2 });
    const { store, snapshot } = loaded;
    const receiveMembers = async (count: number, revision: number): Promise<string> => {
      await receive(loaded, everyone.slice(0, 1 + count), revision);
      return store.chooseMemberIndexAction(snapshot.index.memberCount);
    };
    expect(await receiveMembers(10, 1)).toBe('none');
    expect(await receiveMembers(COUNT, 2)).toBe('save');
    await saveMemberIndex(loaded);
    expect(store.chooseMemberIndexAction(COUNT)).toBe('none');
    expect(await receiveMembers(COUNT - 2, 3)).toBe('none');
    expect(await receiveMembers(COUNT - 3, 4)).toBe('save');
    // So many changes are not recorded.
    expect(await receiveMembers(COUNT / 2, 5)).toBe('save');
    await saveMemberIndex(loaded);
    expect(await receiveMembers(COUNT / 2 - 1, 6)).toBe('delete');
    store.deleteMemberIndex();
    expect([store.chooseMemberIndexAction(1), existsSync(indexFile)]).toEqual(['none', false]);
  });

  it('is deleted with the snapshot', async () => {
    await prepare();
    const loaded = start();
    loaded.store.clear();
    expect(existsSync(indexFile)).toBe(false);
  });
});
