import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import { describe, expect, it } from 'vitest';
import { MemoryState } from '@lintel/test/support/memory-state';
import { FakeBridge, UplinkWorld } from '../test-support/uplink-world.test-support.ts';
import { NOON } from '../test-support/door-world.test-support.ts';

const ack: Message<'ack'> = { v: 1, up_to: 0, event_ids: [] };

describe('Uplink', () => {
  it('sends hello first, with its state and a new nonce for each connection', async () => {
    const { bridge, door } = await UplinkWorld.open();
    bridge.connect();
    bridge.disconnect();
    bridge.connect();
    expect(bridge.published[0]?.kind).toBe('hello');
    const [first, second] = bridge.received('hello');
    expect(first).toMatchObject({ serial: '01', product_id: 'virtual', slice: { revision: 1 } });
    expect(first!.digest_key_id).toBe(door.controller.digestKeyId);
    expect(second!.session_nonce).not.toBe(first!.session_nonce);
  });

  it('rejects replayed messages after a power loss, and tells the bridge which counter to continue from', async () => {
    const state = new MemoryState();
    const bridge = new FakeBridge();
    const { uplink } = await UplinkWorld.connected({ state, bridge });
    const replayed = bridge.frame('ack', ack);
    bridge.deliver('ack', replayed);
    bridge.deliver('ack', replayed);
    expect(uplink.status().dropped).toBe(1);
    const next = await UplinkWorld.open({ state, bridge });
    bridge.connect();
    bridge.deliver('ack', replayed);
    expect(next.uplink.status().dropped).toBe(1);
    const { down_counter } = bridge.received('hello').at(-1)!;
    bridge.send('ack', ack, { counter: down_counter + 1 });
    expect(next.uplink.status().dropped).toBe(1);
  });

  it('restarts the counters with a new certificate, and rejects messages bound to the old one', async () => {
    const { bridge, uplink } = await UplinkWorld.connected();
    const old = bridge.frame('ack', ack);
    bridge.serial = '02';
    bridge.connect();
    expect(bridge.received('hello').at(-1)).toMatchObject({ serial: '02', down_counter: 0 });
    bridge.deliver('ack', old);
    expect(uplink.status().dropped).toBe(1);
    bridge.send('ack', ack, { counter: 1 });
    expect(uplink.status().dropped).toBe(1);
  });

  it('requests a sync when a counter stays missing', async () => {
    const world = await UplinkWorld.connected();
    const { bridge } = world;
    const late = bridge.frame('ack', ack);
    bridge.send('ack', ack);
    await world.advance(2_900);
    expect(bridge.received('sync-request')).toEqual([]);
    await world.advance(200);
    expect(bridge.received('sync-request')).toHaveLength(1);
    bridge.deliver('ack', late);
    expect(world.uplink.status().dropped).toBe(0);
  });

  it('does not request a sync when messages only arrive out of order', async () => {
    const world = await UplinkWorld.connected();
    const late = world.bridge.frame('ack', ack);
    world.bridge.send('ack', ack);
    world.bridge.deliver('ack', late);
    await world.advance(10_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
  });

  it('accepts the time of a prompt response, but not of a delayed one', async () => {
    const world = await UplinkWorld.open();
    const { bridge, door } = world;
    bridge.connect();
    await world.advance(11_000);
    bridge.sendTime({ time: (NOON + 86_400_000 * 365) as never });
    expect(door.time.now()).toBe(NOON + 11_000);
    expect(bridge.received('time-request')).toHaveLength(1);
    await world.advance(100);
    bridge.sendTime({ time: (NOON + 86_400_000 * 365) as never });
    expect(door.time.now()).toBe(NOON + 86_400_000 * 365);
  });

  it('is never ahead of the bridge, however long connecting takes', async () => {
    const { bridge, door, ...world } = await UplinkWorld.open();
    bridge.connect(() => door.clock.advance(4_000));
    bridge.sendTime({ time: NOON });
    expect(door.time.now()).toBe(NOON);
    expect(world.uplink.status().online).toBe(true);
  });

  it('ignores an unsolicited time and requests the time instead', async () => {
    const world = await UplinkWorld.connected();
    const { bridge, door } = world;
    await world.advance(60_000);
    const before = door.time.now();
    bridge.send('time', { v: 1, nonce: bridge.nonce, time: 0 as never, revision: 1, revoke_counter: 0 });
    expect(door.time.now()).toBe(before);
    expect(bridge.received('time-request')).toHaveLength(1);
  });

  it('requests the time at once when the system clock is in doubt', async () => {
    const world = await UplinkWorld.connected();
    const { bridge, door } = world;
    door.system.step(12 * 3_600_000);
    await world.advance(2_000);
    expect(bridge.received('time-request')).toHaveLength(1);
    bridge.sendTime({ time: (NOON + 2_000) as never, revision: 1 });
    expect(door.time.now()).toBe(NOON + 2_000);
    await world.advance(10_000);
    expect(door.time.now()).toBe(NOON + 12_000);
    expect(bridge.received('time-request').length).toBeLessThan(3);
  });

  it('does not count an old message as contact with the bridge', async () => {
    const world = await UplinkWorld.connected();
    const contact = world.door.controller.lastContact;
    expect(contact).not.toBeNull();
    await world.advance(60_000);
    world.bridge.send('time', { v: 1, nonce: world.bridge.nonce, time: 0 as never, revision: 1, revoke_counter: 0 });
    expect(world.door.controller.lastContact).toBe(contact);
    world.respond();
    expect(world.door.controller.lastContact).toBeGreaterThan(contact!);
  });

  it('requests the time every five minutes', async () => {
    const world = await UplinkWorld.connected();
    await world.advance(300_000);
    expect(world.bridge.received('time-request')).toHaveLength(1);
  });

  it('reconnects and reports a fault when the bridge does not respond over a connection', async () => {
    const world = await UplinkWorld.open();
    world.bridge.connect();
    await world.advance(59_000);
    expect(world.bridge.reconnects).toBe(0);
    await world.advance(2_000);
    expect(world.bridge.reconnects).toBe(1);
    expect(world.faults()).toContain('bridge_silent');
    world.bridge.connect();
    world.respond({ nonce: world.bridge.nonce });
    expect(world.faults()).not.toContain('bridge_silent');
  });

  it('requests missing revisions, and reports a fault when they do not arrive', async () => {
    const world = await UplinkWorld.connected();
    const { bridge } = world;
    await world.advance(300_000);
    bridge.sendTime({ time: world.door.time.now(), revision: 5, revoke_counter: 3 });
    await world.advance(1_900);
    expect(bridge.received('sync-request')).toEqual([]);
    await world.advance(200);
    expect(bridge.received('sync-request')).toHaveLength(1);
    for (let second = 0; second < 70; second++) await world.advance(1_000);
    expect(world.faults()).toContain('kept_behind');
    expect(bridge.received('sync-request').length).toBeGreaterThan(2);
  });

  it('requests a revocation announced by an acknowledgement until it arrives', async () => {
    const world = await UplinkWorld.connected();
    const { bridge } = world;
    bridge.send('ack', { ...ack, revision: 5, revoke_counter: 1 });
    for (let second = 0; second < 20; second++) await world.advance(1_000);
    const asked = bridge.received('sync-request').length + bridge.received('hello').length - 1;
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThanOrEqual(10);
  });

  it('does not postpone that request while acknowledgements keep arriving', async () => {
    const world = await UplinkWorld.connected();
    for (let turn = 0; turn < 40; turn++) {
      world.bridge.send('ack', { ...ack, revision: 5, revoke_counter: 1 });
      await world.advance(100);
    }
    expect(world.bridge.received('sync-request').length).toBeGreaterThan(0);
  });

  it('requests nothing after an acknowledgement without new revocations', async () => {
    const world = await UplinkWorld.connected();
    world.bridge.send('ack', { ...ack, revision: 5, revoke_counter: 0 });
    await world.advance(40_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
  });

  it('does not request a revocation that arrives shortly after its announcement', async () => {
    const world = await UplinkWorld.connected();
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    world.bridge.send('ack', { ...ack, revision: 5, revoke_counter: 1 });
    await world.advance(500);
    world.bridge.send('revoke', { v: 1, revision: 5, member_ids: [], ...none }, { counter: 1 });
    await world.advance(10_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
  });

  it('waits longer when no revocation is missing, because most changes concern other doors', async () => {
    const world = await UplinkWorld.connected();
    await world.advance(300_000);
    world.bridge.sendTime({ time: world.door.time.now(), revision: 5 });
    await world.advance(29_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
    await world.advance(2_000);
    expect(world.bridge.received('sync-request')).toHaveLength(1);
  });

  it('requests nothing while the gateway is offline, and sends hello when it is online again', async () => {
    const world = await UplinkWorld.connected();
    const { bridge } = world;
    bridge.send('line', { v: 1, online: false });
    expect(world.uplink.status()).toMatchObject({ connected: true, online: false });
    await world.advance(900_000);
    expect(bridge.received('time-request')).toEqual([]);
    expect(bridge.received('sync-request')).toEqual([]);
    expect(bridge.reconnects).toBe(0);
    bridge.send('line', { v: 1, online: true });
    await world.advance(1);
    expect(bridge.received('hello')).toHaveLength(2);
    world.respond();
    bridge.send('line', { v: 1, online: true });
    await world.advance(2_000);
    expect(bridge.received('hello')).toHaveLength(2);
  });

  it('sends at most one hello per second when the link keeps changing', async () => {
    const world = await UplinkWorld.connected();
    for (let turn = 0; turn < 100; turn++) {
      world.bridge.send('line', { v: 1, online: false });
      world.bridge.send('line', { v: 1, online: true });
      await world.advance(20);
    }
    expect(world.bridge.received('hello').length).toBeLessThan(5);
  });

  it('sends hello again when the bridge does not respond, because it may have restarted', async () => {
    const world = await UplinkWorld.connected();
    await world.advance(300_000);
    await world.advance(20_000);
    expect(world.bridge.received('hello')).toHaveLength(2);
    expect(world.bridge.reconnects).toBe(0);
  });

  it('applies a revocation until a snapshot contains it, and requests a snapshot when there are many', async () => {
    const world = await UplinkWorld.connected();
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

  it('requests a sync after a gap in the revocations', async () => {
    const world = await UplinkWorld.connected();
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    world.bridge.send('revoke', { v: 1, revision: 3, member_ids: [], ...none }, { counter: 2 });
    await world.advance(2_100);
    expect(world.bridge.received('sync-request')).toHaveLength(1);
  });

  it('reports its status on connection, on change, and every five minutes', async () => {
    const world = await UplinkWorld.connected();
    const { bridge, door } = world;
    expect(bridge.received('status')).toMatchObject([{ mains_present: true, battery_present: null, faults: [] }]);
    door.reader.fail({ kind: 'absent', message: 'gone' });
    await world.advance(1_000);
    expect(bridge.received('status').at(-1)!.faults).toMatchObject([{ code: 'reader:station-0' }]);
    const before = bridge.received('status').length;
    await world.advance(299_000);
    expect(bridge.received('status')).toHaveLength(before);
    await world.advance(2_000);
    expect(bridge.received('status')).toHaveLength(before + 1);
  });
});
