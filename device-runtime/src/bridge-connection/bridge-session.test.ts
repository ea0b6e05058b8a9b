import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { describe, expect, it } from 'vitest';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { FakeBridge } from '@lintel/test/support/devices/fake-bridge';
import { createSnapshotChunk } from '../testing/snapshot-entries.ts';
import { createSingleDoorSnapshot, testCredentialDigester, TEST_NOON } from '../testing/door-harness.ts';
import { DoorWithFakeBridge } from '../testing/door-with-fake-bridge.ts';

const ack: MqttMessageContent<'ack'> = { v: 1, event_ids: [] };

describe('Uplink', () => {
  it('sends hello first, with its state and a new nonce for each connection', async () => {
    const { bridge, door } = await DoorWithFakeBridge.open();
    bridge.connect();
    bridge.disconnect();
    bridge.connect();
    expect(bridge.published[0]?.kind).toBe('hello');
    const [first, second] = bridge.received('hello');
    expect(first).toMatchObject({ serial: '01', product_id: 'virtual', snapshot: { revision: 1 } });
    expect(first!.digest_key_id).toBe(door.controller.digestKeyId);
    expect(second!.session_nonce).not.toBe(first!.session_nonce);
  });

  it('rejects replayed messages after a power loss, and tells the bridge which counter to continue from', async () => {
    const state = new MemoryState();
    const bridge = new FakeBridge();
    const { session } = await DoorWithFakeBridge.connected({ state, bridge });
    const replayed = bridge.frame('ack', ack);
    bridge.deliver('ack', replayed);
    bridge.deliver('ack', replayed);
    expect(session.status().dropped).toBe(1);
    const next = await DoorWithFakeBridge.open({ state, bridge });
    bridge.connect();
    bridge.deliver('ack', replayed);
    expect(next.session.status().dropped).toBe(1);
    const { down_counter } = bridge.received('hello').at(-1)!;
    bridge.send('ack', ack, { counter: down_counter + 1 });
    expect(next.session.status().dropped).toBe(1);
  });

  it('requests the time at once when the system clock is in doubt', async () => {
    const world = await DoorWithFakeBridge.connected();
    const { bridge, door } = world;
    door.system.step(12 * 3_600_000);
    await world.advance(2_000);
    expect(bridge.received('time-request')).toHaveLength(1);
    // The request was sent after the first of the two seconds.
    bridge.sendTime({ time: (TEST_NOON + 1_500) as never, revision: 1 });
    expect(door.time.now()).toBe(TEST_NOON + 2_000);
    await world.advance(10_000);
    expect(door.time.now()).toBe(TEST_NOON + 12_000);
    expect(bridge.received('time-request').length).toBeLessThan(3);
  });

  it('applies a revocation until a snapshot contains it, and requests a snapshot when there are many', async () => {
    const world = await DoorWithFakeBridge.connected();
    const { bridge, door } = world;
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    bridge.send('revoke', { v: 1, revision: 2, member_ids: ['mem_ann' as never], ...none }, { counter: 1 });
    door.press('2580');
    expect(door.isUnlocked).toBe(false);
    for (let counter = 2; counter <= 70; counter++)
      bridge.send('revoke', { v: 1, revision: 2 + counter, member_ids: ['mem_bob' as never], ...none }, { counter });
    await world.advance(10);
    expect(bridge.received('sync-request').length).toBeGreaterThan(0);
  });

  it('uploads acknowledged events again for a bridge that has lost them, once', async () => {
    const world = await DoorWithFakeBridge.connected();
    const { bridge, door } = world;
    const sent = () => bridge.received('events').flatMap(({ events }) => events);
    for (let tap = 0; tap < 5; tap++) door.reader.tap('04a1b2c3');
    await world.settled();
    const first = sent();
    bridge.send('ack', { v: 1, event_ids: first.map(({ id }) => id) });
    expect(door.controller.waitingEventCount()).toBe(0);
    const from = first[2]!.sequence;
    bridge.send('resend-events', { v: 1, from });
    await world.advance(2_000);
    expect(sent().slice(first.length)).toEqual(first.slice(2));
    bridge.send('ack', { v: 1, event_ids: first.map(({ id }) => id) });
    bridge.disconnect();
    bridge.connect();
    await world.advance(2_000);
    expect(sent()).toHaveLength(2 * first.length - 2);
    expect(bridge.received('hello').at(-1)).toMatchObject({ acknowledged_sequence: first.at(-1)!.sequence });
  });

  it('reports its status on connection, on change, and every five minutes', async () => {
    const world = await DoorWithFakeBridge.connected();
    const { bridge, door } = world;
    expect(bridge.received('status')).toMatchObject([{ mains_present: true, battery_present: null, faults: [] }]);
    door.reader.fail({ kind: 'absent', message: 'gone' });
    await world.advance(1_000);
    expect(bridge.received('status').at(-1)!.faults).toMatchObject([{ code: 'reader:station-0' }]);
    const before = bridge.received('status').length;
    for (let minutes = 0; minutes < 4; minutes += 2) {
      await world.advance(120_000);
      bridge.sendTime({ time: door.time.now() });
    }
    await world.advance(58_000);
    expect(bridge.received('status')).toHaveLength(before);
    await world.advance(2_000);
    expect(bridge.received('status')).toHaveLength(before + 1);
  });

  it('rejects a snapshot for another digest key and reports the fault', async () => {
    const world = await DoorWithFakeBridge.connected();
    world.bridge.send('snapshot', createSnapshotChunk(createSingleDoorSnapshot(), 9, 'another'));
    await world.settled();
    await world.advance(1);
    expect(world.door.controller.storedSnapshot?.revision).toBe(1);
    expect(world.faults()).toContain('digest_key_unknown');
    world.bridge.send('snapshot', createSnapshotChunk(createSingleDoorSnapshot(), 9, testCredentialDigester.keyId));
    await world.settled();
    expect(world.faults()).not.toContain('digest_key_unknown');
  });
});
