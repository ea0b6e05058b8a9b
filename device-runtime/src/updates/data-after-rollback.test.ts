import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStore } from '../events/event-store.ts';
import { SqliteSnapshotStore } from '../snapshot/store/sqlite-snapshot-store.ts';
import { createDeviceEntry, createSnapshotChunk } from '../testing/snapshot-entries.ts';
import { testDataAuthenticator } from '../testing/door-harness.ts';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { createControllerUpdateAdapter } from './controller-update-adapter.ts';

/* A newer version used the data before the rollback. What it added must not break the older version. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-older-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As left by a later version: a higher schema version, another table, and another column in every table. */
const visitedByNewer = (file: string): void => {
  const database = new SqliteDatabase(join(folder, file));
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all();
  for (const { name } of tables as { name: string }[]) database.exec(`alter table ${name} add column added_later text`);
  database.exec('create table added_later (id integer primary key)');
  database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true })) + 1}`);
  database.close();
};

const openEvents = (): EventStore => new EventStore({ file: join(folder, 'events.db') });

describe('data after a rollback', () => {
  it('allows reading the events of both versions and writing new ones', () => {
    const first = openEvents();
    first.append(createSampleEvents(1, 2));
    first.close();
    visitedByNewer('events.db');
    const again = openEvents();
    again.append(createSampleEvents(3, 1));
    expect(again.read(0, 100, 100).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(again.salvage()).toBeNull();
    again.close();
  });

  it('still contains the access snapshot', async () => {
    const first = new SqliteSnapshotStore(join(folder, 'slice.db'), testDataAuthenticator);
    await first.receive(createSnapshotChunk([createDeviceEntry()], 7, 'key'));
    first.close();
    visitedByNewer('slice.db');
    const again = new SqliteSnapshotStore(join(folder, 'slice.db'), testDataAuthenticator);
    expect(again.held()).toMatchObject({ revision: 7 });
    again.close();
  });
});

describe('update health of a controller', () => {
  it('ignores faults that a new version cannot cause', () => {
    const faults = ['tamper', 'slice_old', 'reader:front', 'update: late'].map(code => ({ code }));
    const controller = { technician: { clock: null }, isHealthy: () => true, faults: () => faults };
    const adapter = createControllerUpdateAdapter({ controller, upstream: () => null } as never, () => []);
    expect(adapter.health().faults).toEqual(['reader:front']);
  });
});
