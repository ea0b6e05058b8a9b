import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQuickBackup } from '@lintel/cloud-bridge/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminWithToken } from '../support/bridge/admin-client.ts';
import { type TestOrganizationClient, TestBridge, type TestDatabaseEngine } from '../support/bridge/test-bridge.ts';
import { copyDatabase } from '../support/bridge/postgres.ts';
import { FirmwareSite, type FirmwareController } from '../support/devices/firmware-site.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { waitUntil } from '../support/wait-until.ts';

const ANN = '04a1b2c3d4e5f6';
const BOB = '04b1b2c3d4e5f6';
const CAROL = '04c1b2c3d4e5f6';
const DAVE = '04d1b2c3d4e5f6';

let engine: TestDatabaseEngine;
let backup: string;
let database: string | undefined;
let bridge: TestBridge;
let port: number;
let site: FirmwareSite;
let doors: FirmwareController[];
let client: TestOrganizationClient;
const openSite = async (): Promise<void> => {
  backup = mkdtempSync(join(tmpdir(), 'lintel-backup-'));
  bridge = await TestBridge.open({ isTicking: true, engine });
  ({ database } = bridge);
  site = await FirmwareSite.open(bridge);
  ({ client } = site);
  port = Number(new URL(site.url).port);
  doors = [await site.claimController(), await site.claimController()];
};
afterEach(async () => {
  await site.close();
  await bridge.close();
  rmSync(backup, { recursive: true });
});

/** Opens the bridge again, with the data in its folder. */
const reopen = async (): Promise<void> => {
  const { dataDir, now } = bridge;
  bridge = await TestBridge.open({ isTicking: true, dataDir, engine, ...(database === undefined ? {} : { database }) });
  bridge.now = now;
  await bridge.devices.broker!.listen('127.0.0.1', port);
  client = await bridge.newApplication(client.organizationId);
};

const copyFolder = (from: string, to: string): void => {
  rmSync(to, { recursive: true });
  mkdirSync(to, { mode: 0o700 });
  cpSync(from, to, { recursive: true });
};

/** Backs up the SQLite database beside the running bridge. Returns what restores the data of the stopped bridge. */
const backUpSqlite = async (): Promise<() => Promise<unknown>> => {
  const { dataDir } = bridge;
  const file = join(backup, 'lintel.backup');
  const passphrase = 'correct horse battery';
  await createQuickBackup({ dataDir, database, out: file, passphrase, now: bridge.now });
  writeFileSync(join(backup, 'passphrase'), passphrase);
  return async () => {
    rmSync(dataDir, { recursive: true });
    const secret = ['--passphrase-file', join(backup, 'passphrase')];
    expect(await runLintel('restore', file, '--data', dataDir, ...secret)).toMatchObject({ code: 0 });
  };
};

/** The server of the test run has no pg_dump of its version. `test/operate/backup-postgres.test.ts` tests that. */
const backUpPostgres = async (url: string): Promise<() => Promise<void>> => {
  const { dataDir } = bridge;
  await bridge.bridge.close();
  copyFolder(dataDir, backup);
  const copy = await copyDatabase(url);
  await reopen();
  return async () => {
    copyFolder(backup, dataDir);
    database = copy;
  };
};

const revisionOf = ({ running }: FirmwareController): number => running.controller.storedSnapshot?.revision ?? -1;

/** Both controllers serve a snapshot that the bridge knows, of at least this revision. */
const waitUntilServed = async (least: number): Promise<void> => {
  const served = async (): Promise<boolean> => {
    const rows = await bridge.services.storage.reader
      .selectFrom('device_sync')
      .select(['device_id', 'revision'])
      .execute();
    return doors.every(door =>
      rows.some(row => row.device_id === door.deviceId && row.revision >= least && row.revision === revisionOf(door)),
    );
  };
  await waitUntil(served, () => `revision ${least} at all controllers; they have ${doors.map(revisionOf).join()}`);
};

/** The cards that open the door. */
const grantedCards = (door: FirmwareController): string[] =>
  [ANN, BOB, CAROL, DAVE].filter(card => {
    const before = door.recorded.filter(({ kind }) => kind === 'use').length;
    door.running.reader.tap(card);
    return door.recorded.filter(({ kind }) => kind === 'use').length > before;
  });

const usesInApi = async (): Promise<string[]> =>
  (await client.callOk('GET', '/events?verb=use&object.type=gadget_action&limit=100')).data.map(({ id }) => id);

for (const name of ['sqlite', 'postgres'] as const)
  describe(`A bridge that was restored from an old backup (${name})`, {
    tags: name === 'postgres' ? ['slow'] : [],
  }, () => {
    beforeEach(async () => {
      engine = name;
      await openSite();
    });

    it('keeps revoked credentials revoked, continues above all counters and reports an incident', async () => {
      const group = await site.createGroup(...doors.map(({ gadgetId }) => gadgetId));
      await site.createMember(group, { uid: ANN });
      const bob = await site.createMember(group, { uid: BOB });
      const carol = await site.createMember(group, { uid: CAROL });
      for (const door of doors) door.start();
      for (const door of doors) await door.waitUntilSynced();
      expect(doors.map(grantedCards)).toEqual([
        [ANN, BOB, CAROL],
        [ANN, BOB, CAROL],
      ]);
      const restore = await (database === undefined ? backUpSqlite() : backUpPostgres(database));

      const [bobCard] = (await client.callOk('GET', `/members/${bob}/cards`)).data;
      await client.callOk('DELETE', `/members/${bob}/cards/${bobCard!.id}`);
      await client.callOk('DELETE', `/members/${carol}`);
      await waitUntilServed(await site.revision(bridge));
      const ahead = Math.max(...doors.map(revisionOf));
      expect(doors.map(grantedCards)).toEqual([[ANN], [ANN]]);
      for (const door of doors) await door.waitUntilEventsUploaded();
      await bridge.bridge.close();
      await restore();

      await reopen();
      await waitUntilServed(ahead + 1);
      expect(doors.map(grantedCards)).toEqual([[ANN], [ANN]]);
      expect(await client.callOk('GET', `/members/${bob}/cards`)).toMatchObject({ data: [] });
      expect(await client.callOk('GET', `/members/${carol}`)).toMatchObject({ is_deleted: true });
      expect(await site.revision(bridge)).toBeGreaterThan(ahead);

      const admin = await adminWithToken(bridge, client.organizationId, 'full_read_write');
      const { body } = await admin.get('/incidents');
      expect(body.data).toMatchObject([
        {
          kind: 'bridge_behind',
          device_ids: expect.arrayContaining(doors.map(({ deviceId }) => deviceId)),
          revoked_ids: expect.arrayContaining([bobCard!.id, carol]),
          acknowledged_at: null,
        },
      ]);
      const acknowledged = await admin.call('POST', `/incidents/${body.data[0]!.id}/acknowledge`, {});
      expect(acknowledged.body).toMatchObject({ acknowledged_at: expect.any(String) });
      const events = await client.callOk('GET', '/events?object.type=organization&verb=edit');
      expect(events.data).toMatchObject([{ reason: 'bridge_behind' }]);

      const countUses = () => doors.flatMap(({ recorded }) => recorded.filter(({ kind }) => kind === 'use')).length;
      await waitUntil(
        async () => (await usesInApi()).length >= countUses(),
        () => `${countUses()} uses in the API`,
      );
      const ids = doors.flatMap(({ recorded }) => recorded.filter(({ kind }) => kind === 'use').map(({ id }) => id));
      expect((await usesInApi()).toSorted()).toEqual(ids.toSorted());

      await client.callOk('POST', `/members/${bob}/cards`, { uid: DAVE });
      await waitUntilServed(await site.revision(bridge));
      expect(doors.map(grantedCards)).toEqual([
        [ANN, DAVE],
        [ANN, DAVE],
      ]);
      expect(doors.flatMap(door => door.running.controller.faults())).toEqual([]);
    });
  });
