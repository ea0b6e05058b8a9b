import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createIdGenerator } from '@lintel/access-core/ids';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { insertMembers } from '@lintel/cloud-bridge/testing';
import { EventStore } from '@lintel/device-runtime/testing';
import { FirmwareSite, type FirmwareController } from '../../support/devices/firmware-site.ts';
import { HostileBroker } from '../../support/devices/hostile-broker.ts';
import { iterations } from '../../support/test-iterations-and-seed.ts';

let broker: HostileBroker;
let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
let group: string;
beforeEach(async () => {
  broker = await HostileBroker.start();
  bridge = await TestBridge.open({ isTicking: true, mqttUrl: broker.url, chunkCharacters: 4096 });
  site = await FirmwareSite.open(bridge, { url: broker.url });
  door = await site.claimController();
  group = await site.createGroup(door.gadgetId);
});
afterEach(async () => {
  await site.close();
  await bridge.close();
  await broker.close();
});

const chunkOf = (payload: Uint8Array): string => {
  const frame = decodeUnverifiedFrame(payload);
  if (!frame.ok) throw new Error('not a signed frame');
  const { body, header } = frame.value;
  const text = header.encoding === 'gzip' ? gunzipSync(body) : Buffer.from(body);
  const { to, chunk } = JSON.parse(text.toString()) as { to: number; chunk: number };
  return `${to} ${chunk}`;
};

/** Fills the event store of a controller that has not been started yet. */
const writeBacklog = (count: number): void => {
  const newId = createIdGenerator(() => bridge.now, randomBytes);
  const file = join(door.dataDir, 'events.db');
  const events = new EventStore({ file });
  for (let from = 1; from <= count; from += 500) {
    const batch = Array.from({ length: Math.min(500, count - from + 1) }, (_, index) => ({
      id: newId('event'),
      sequence: from + index,
      kind: 'deny' as const,
      reason: 'unknown_credential' as const,
      occurred_at: bridge.now,
      time_trusted: true,
    }));
    events.append(batch);
  }
  events.close();
};

describe('snapshot sync of the firmware', () => {
  it('resumes an interrupted transfer after a restart, without sending a chunk twice', async () => {
    await insertMembers(bridge.services, site.client.organizationId, { count: 200, groupId: group });
    await site.createMember(group, { pin: '2580' });
    broker.withhold('sync-request');
    door.start();
    await expect.poll(() => door.running.controller.pendingTransfer?.next_chunk).toBe(8);
    await door.stop();
    expect(broker.messagesOf('slice')).toHaveLength(8);
    broker.stopWithholding();
    door.start();
    await door.waitUntilSynced();
    door.running.keypad.press('2580');
    expect(door.isUnlocked).toBe(true);
    const sent = broker.messagesOf('slice').map(({ payload }) => chunkOf(payload));
    expect(sent.length).toBeGreaterThan(8);
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('continues without a new hello after the bridge restarts behind its broker', { tags: ['slow'] }, async () => {
    door.start();
    await door.waitUntilSynced();
    const { dataDir, now } = bridge;
    await bridge.bridge.close();
    bridge = await TestBridge.open({ isTicking: true, mqttUrl: broker.url, dataDir });
    bridge.now = now;
    const hellos = broker.messagesOf('hello').length;
    const client = await bridge.newApplication(site.client.organizationId);
    const { id } = await client.callOk('POST', '/members', { name: 'Ann' });
    await client.callOk('POST', `/members/${id}/pins`, { pin: '2580' });
    await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group });
    const revision = await site.revision(bridge);
    await expect.poll(() => door.running.controller.storedSnapshot?.revision).toBeGreaterThanOrEqual(revision);
    door.running.keypad.press('2580');
    expect(door.isUnlocked).toBe(true);
    expect(broker.messagesOf('hello')).toHaveLength(hellos);
    expect(bridge.devices.droppedMessages).toBe(0);
  });
});

describe('event upload of the firmware', () => {
  it('uploads each event of a backlog once, with at most 5,000 unacknowledged', { tags: ['slow'] }, async () => {
    const BACKLOG = iterations({ sample: 6_000, all: 20_000 });
    writeBacklog(BACKLOG);
    door.start();
    let mostUnacknowledged = 0;
    const queuedEvents = (): number => {
      const { eventQueues } = door.running.controller;
      mostUnacknowledged = Math.max(mostUnacknowledged, eventQueues.unacknowledgedCount);
      return door.isOnline ? door.running.controller.waitingEventCount() : BACKLOG;
    };
    await expect.poll(queuedEvents, { interval: 5, timeout: 60_000 }).toBe(0);
    expect(mostUnacknowledged).toBeLessThanOrEqual(5_000);
    const { count } = await bridge.services.storage.reader
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', site.client.organizationId)
      .where('verb', '=', 'deny')
      .executeTakeFirstOrThrow();
    expect(count).toBe(BACKLOG);
  });

  it('uploads new events before the rest of the backlog', async () => {
    const BACKLOG = 3_000;
    writeBacklog(BACKLOG);
    // An event of an untrusted clock would wait for the time of the bridge.
    door.start(undefined, { system: { now: () => bridge.now, isSynchronized: () => true } });
    // With the first batch on its way, most of the backlog is still in the store.
    broker.withholds = ({ topic }) => {
      if (topic.endsWith('/up/events')) {
        broker.stopWithholding();
        door.running.reader.tap('0badc0de');
      }
      return false;
    };
    await expect.poll(() => door.recorded.at(-1)?.kind).toBe('deny');
    const { id } = door.recorded.at(-1)!;
    await door.waitUntilEventsUploaded();
    const uploaded = (await site.events('verb=deny', 'recorded_at')).map(event => event.id);
    expect(uploaded).toHaveLength(BACKLOG + 1);
    expect(uploaded.indexOf(id)).toBeGreaterThan(0);
    expect(uploaded.indexOf(id)).toBeLessThan(BACKLOG - 1_000);
  });
});
