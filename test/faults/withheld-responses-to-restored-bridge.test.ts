import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminWithToken } from '../support/bridge/admin-client.ts';
import { type TestOrganizationClient, TestBridge } from '../support/bridge/test-bridge.ts';
import { FirmwareSite, type FirmwareController } from '../support/devices/firmware-site.ts';
import { HostileBroker } from '../support/devices/hostile-broker.ts';
import { waitUntil } from '../support/wait-until.ts';

const ANN = '04a1b2c3d4e5f6';
const BOB = '04b1b2c3d4e5f6';

let broker: HostileBroker;
let backup: string;
let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
let client: TestOrganizationClient;
let ann: string;
let bob: string;

beforeEach(async () => {
  backup = mkdtempSync(join(tmpdir(), 'lintel-backup-'));
  broker = await HostileBroker.start();
  bridge = await TestBridge.open({ isTicking: true, mqttUrl: broker.url });
  site = await FirmwareSite.open(bridge, { url: broker.url });
  ({ client } = site);
  door = await site.claimController();
  const group = await site.createGroup(door.gadgetId);
  ann = await site.createMember(group, { uid: ANN });
  bob = await site.createMember(group, { uid: BOB });
  door.start();
  await door.waitUntilSynced();
});
afterEach(async () => {
  await site.close();
  await bridge.close();
  await broker.close();
  rmSync(backup, { recursive: true });
});

const reopen = async (): Promise<void> => {
  const { dataDir, now } = bridge;
  bridge = await TestBridge.open({ isTicking: true, dataDir, mqttUrl: broker.url });
  bridge.now = now;
  client = await bridge.newApplication(client.organizationId);
};

const copyFolder = (from: string, to: string): void => {
  rmSync(to, { recursive: true });
  mkdirSync(to, { mode: 0o700 });
  cpSync(from, to, { recursive: true });
};

const backUp = async (): Promise<void> => {
  await bridge.bridge.close();
  copyFolder(bridge.dataDir, backup);
  await reopen();
};

/** The bridge loses everything since the backup. */
const restore = async (): Promise<void> => {
  await bridge.bridge.close();
  copyFolder(backup, bridge.dataDir);
  await reopen();
};

const revision = (): number => door.running.controller.storedSnapshot?.revision ?? -1;

const waitUntilServed = async (): Promise<void> => {
  const least = await site.revision(bridge);
  await waitUntil(
    () => revision() >= least,
    () => `revision ${least} at the controller, which has ${revision()}; ${door.logged.join('\n')}`,
  );
};

const isGranted = (card: string): boolean => {
  door.running.reader.tap(card);
  return door.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny')?.kind === 'use';
};

const deviceFaults = async (): Promise<readonly (string | null)[]> => {
  const admin = await adminWithToken(bridge, client.organizationId, 'full_read_write');
  const { items } = (await admin.callOk('GET', '/attention')) as unknown as {
    items: readonly { readonly kind: string; readonly fault: string | null }[];
  };
  return items.filter(({ kind }) => kind === 'device_fault').map(({ fault }) => fault);
};

const waitUntilDegraded = (): Promise<void> =>
  waitUntil(
    async () => (await deviceFaults()).includes('revocations_not_received'),
    () => `the controller to be shown as degraded; ${door.logged.join('\n')}`,
  );

const expectBobStaysRevoked = async (): Promise<void> => {
  await waitUntilDegraded();
  expect(broker.messagesOf('resend-revocations').length).toBeGreaterThan(1);
  expect([isGranted(ANN), isGranted(BOB)]).toEqual([true, false]);

  await client.callOk('DELETE', `/members/${ann}`);
  await waitUntil(
    () => !isGranted(ANN),
    () => `the deletion at the controller; ${door.logged.join('\n')}`,
  );
  expect(isGranted(BOB)).toBe(false);

  broker.stopWithholding();
  await waitUntil(
    async () => (await deviceFaults()).length === 0,
    () => `the fault to be cleared; ${door.logged.join('\n')}`,
  );
  await waitUntilServed();
  expect([isGranted(ANN), isGranted(BOB)]).toEqual([false, false]);
  expect((await client.callOk('GET', `/members/${bob}`))['is_deleted']).toBe(true);
};

describe('Broker that drops what a controller answers to a restored bridge', { tags: ['slow'] }, () => {
  it('cannot make a revoked credential valid again', async () => {
    await backUp();
    await client.callOk('DELETE', `/members/${bob}`);
    await waitUntilServed();
    broker.reset();
    broker.withhold('revocations');
    await door.stop();
    await restore();
    door.start();
    await expectBobStaysRevoked();
  });

  it('cannot do so for a controller that has the revocation, but an earlier snapshot', async () => {
    await backUp();
    broker.withhold('snapshot');
    await client.callOk('DELETE', `/members/${bob}`);
    await waitUntil(
      () => !isGranted(BOB),
      () => 'the revocation at the controller',
    );
    broker.reset();
    broker.withhold('revocations');
    await door.stop();
    await restore();
    door.start();
    await expectBobStaysRevoked();
  });
});

describe('Bridge that is restored while controllers stay connected to its broker', { tags: ['slow'] }, () => {
  /** The bridge knows which snapshot the controller has. */
  const backUpKnown = async (): Promise<void> => {
    const findServed = () =>
      bridge.services.storage.reader
        .selectFrom('device_sync')
        .select('revision')
        .where('device_id', '=', door.deviceId)
        .executeTakeFirst();
    await waitUntil(
      async () => (await findServed())?.revision === revision(),
      () => 'the report of the controller',
    );
    await backUp();
  };

  const renameAnn = async (times: number): Promise<void> => {
    for (let turn = 0; turn < times; turn++)
      await client.callOk('PATCH', `/members/${ann}`, { name: `Ann ${await site.revision(bridge)}` });
    await waitUntilServed();
  };

  const expectAnnCanBeDeleted = async (): Promise<void> => {
    await client.callOk('DELETE', `/members/${ann}`);
    // Slowly, because each acknowledged event raises the downlink counter of the bridge.
    await expect.poll(() => isGranted(ANN), { interval: 1_000, timeout: 30_000 }).toBe(false);
    await waitUntilServed();
    expect([isGranted(ANN), isGranted(BOB)]).toEqual([false, false]);
    expect((await client.callOk('GET', `/members/${bob}`))['is_deleted']).toBe(true);
    const admin = await adminWithToken(bridge, client.organizationId, 'full_read_only');
    expect((await admin.callOk('GET', '/incidents')).data).toContainEqual(
      expect.objectContaining({ kind: 'bridge_behind' }),
    );
  };

  it('deletes a member at a controller that has received higher revisions and counters', async () => {
    await backUpKnown();
    await renameAnn(1);
    // Downlink counters are reserved in blocks: this run continues above those of the run before it.
    await bridge.bridge.close();
    await reopen();
    await client.callOk('DELETE', `/members/${bob}`);
    await renameAnn(20);
    await restore();
    await expectAnnCanBeDeleted();
  });

  it('keeps a member revoked at a controller that has the revocation, but a known snapshot', async () => {
    await backUpKnown();
    broker.withhold('snapshot');
    await client.callOk('DELETE', `/members/${bob}`);
    await waitUntil(
      () => !isGranted(BOB),
      () => 'the revocation at the controller',
    );
    await restore();
    broker.stopWithholding();
    await renameAnn(5);
    expect([isGranted(ANN), isGranted(BOB)]).toEqual([true, false]);
    await expectAnnCanBeDeleted();
  });
});
