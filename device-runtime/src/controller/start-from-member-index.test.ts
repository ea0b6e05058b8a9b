import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteSnapshotStore } from '../snapshot/store/sqlite-snapshot-store.ts';
import {
  createSingleDoorSnapshot,
  DoorHarness,
  testCredentialDigester,
  testDataAuthenticator,
} from '../testing/door-harness.ts';
import { createMemberEntry, createSnapshotChunk } from '../testing/snapshot-entries.ts';

const SAVED_AFTER_MS = 10_000;
const ANN = '04a1b2c3';
const BOB = '04a1b2c4';

let folder: string;
let indexFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-member-index-'));
  indexFile = join(folder, 'member-index');
});
afterEach(() => rmSync(folder, { recursive: true }));

const openStore = (fewestIndexedMembers = 1) =>
  new SqliteSnapshotStore(join(folder, 'slice.db'), testDataAuthenticator, { fewestIndexedMembers });

const bob = createMemberEntry(testCredentialDigester, 'mem_bob', { cards: [BOB], groups: ['mg_all'] });
const guests = Array.from({ length: 10 }, (_, number) =>
  createMemberEntry(testCredentialDigester, `mem_${number}`, { cards: [`05a1b2c${number}`], groups: ['mg_all'] }),
);
const withBob = [...createSingleDoorSnapshot(), bob, ...guests];
const withoutBob = [...createSingleDoorSnapshot(), ...guests];

const opensFor = (world: DoorHarness, card: string): boolean => {
  world.clock.advance(60_000);
  world.reader.tap(card);
  return world.isUnlocked;
};

const codes = (world: DoorHarness): string[] => world.controller.faults().map(({ code }) => code);

/** A controller that has saved its member index. */
const openSaved = async (): Promise<DoorHarness> => {
  const world = await DoorHarness.open(withBob, { snapshotStore: openStore() });
  world.clock.advance(SAVED_AFTER_MS);
  await expect.poll(() => existsSync(indexFile)).toBe(true);
  return world;
};

/** Entries that the start must not need: a start from them would fail. */
const damageMembers = (): void => {
  const database = new SqliteDatabase(join(folder, 'slice.db'));
  database.exec("UPDATE entries SET body = 'damaged' WHERE id = 'mem_5'");
  database.close();
};

const restart = (earlier: DoorHarness): DoorHarness => {
  const world = DoorHarness.closed({ state: earlier.state, snapshotStore: openStore() });
  world.controller.start();
  return world;
};

describe('a controller with a saved member index', () => {
  it('serves its doors without reading the members, and denies a member that was removed later', async () => {
    const first = await openSaved();
    await first.serve(withoutBob);
    first.controller.stop();
    damageMembers();
    const second = restart(first);
    expect([opensFor(second, ANN), opensFor(second, BOB), codes(second)]).toEqual([true, false, []]);
    second.controller.stop();
  });

  it('reports damaged entries, keeps serving, and replaces all of them by the next snapshot', async () => {
    const first = await openSaved();
    first.controller.stop();
    damageMembers();
    const second = restart(first);
    await expect.poll(() => codes(second)).toEqual(['slice_damaged']);
    expect([opensFor(second, BOB), second.controller.storedSnapshot]).toEqual([true, null]);
    const next = createSnapshotChunk(withoutBob, 5, testCredentialDigester.keyId);
    expect(await second.controller.receiveSnapshot(next)).toMatchObject({ kind: 'applied' });
    expect([opensFor(second, ANN), opensFor(second, BOB), codes(second)]).toEqual([true, false, []]);
    second.controller.stop();
  });

  it('applies changes after the entries are verified, and saves the index again after many', async () => {
    const first = await openSaved();
    first.controller.stop();
    const second = restart(first);
    const next = createSnapshotChunk(withoutBob, 5, testCredentialDigester.keyId);
    const delta = { ...next, from: 1, put: [], drop: [{ type: 'member', id: 'mem_bob' }] };
    expect(await second.controller.receiveSnapshot(delta)).toMatchObject({ kind: 'applied' });
    expect(opensFor(second, BOB)).toBe(false);
    rmSync(indexFile);
    second.clock.advance(SAVED_AFTER_MS);
    await expect.poll(() => existsSync(indexFile)).toBe(true);
    second.controller.stop();
    damageMembers();
    const third = restart(second);
    expect([opensFor(third, ANN), opensFor(third, BOB)]).toEqual([true, false]);
    third.controller.stop();
  });

  it('tries again after a longer pause when a change prevents saving', async () => {
    const store = openStore();
    const attempts: boolean[] = [];
    let changed = Promise.resolve();
    const save = store.saveMemberIndex.bind(store);
    store.saveMemberIndex = async (...image) => {
      if (attempts.length === 0) changed = world.serve(withoutBob);
      const isSaved = await save(...image);
      attempts.push(isSaved);
      return isSaved;
    };
    const world = await DoorHarness.open(withBob, { snapshotStore: store });
    world.clock.advance(SAVED_AFTER_MS);
    await expect.poll(() => attempts).toEqual([false]);
    await changed;
    world.clock.advance(SAVED_AFTER_MS);
    expect([attempts, existsSync(indexFile)]).toEqual([[false], false]);
    world.clock.advance(SAVED_AFTER_MS);
    await expect.poll(() => attempts).toEqual([false, true]);
    world.controller.stop();
    damageMembers();
    const second = restart(world);
    expect([opensFor(second, ANN), opensFor(second, BOB)]).toEqual([true, false]);
    second.controller.stop();
  });

  it('saves nothing for few members', async () => {
    const world = await DoorHarness.open(withBob, { snapshotStore: openStore(50) });
    world.clock.advance(SAVED_AFTER_MS);
    world.controller.stop();
    expect(existsSync(indexFile)).toBe(false);
  });
});
