import { DAY_MS } from '@lintel/access-core/durations';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { describe, expect, it } from 'vitest';
import { FakeBridge } from '@lintel/test/support/devices/fake-bridge';
import { MemoryReplayWindowStore, TEST_NOON, SessionHarness } from './session-harness.test-support.ts';

const ack: MqttMessageContent<'ack'> = { v: 1, event_ids: [] };

describe('DeviceSession', () => {
  it('rejects replayed messages after a power loss, and tells the bridge which counter to continue from', () => {
    const [window, bridge] = [new MemoryReplayWindowStore(), new FakeBridge()];
    const first = new SessionHarness({ bridge, window });
    bridge.connect();
    const replayed = bridge.frame('ack', ack);
    bridge.deliver('ack', replayed);
    bridge.deliver('ack', replayed);
    expect(first.session.dropped).toBe(1);
    const { session } = new SessionHarness({ bridge, window });
    bridge.connect();
    bridge.deliver('ack', replayed);
    expect(session.dropped).toBe(1);
    bridge.send('ack', ack, { counter: bridge.received('hello').at(-1)!.down_counter + 1 });
    expect(session.dropped).toBe(1);
  });

  it('saves the exact counters at a clean stop', () => {
    const [window, bridge] = [new MemoryReplayWindowStore(), new FakeBridge()];
    const { session } = new SessionHarness({ bridge, window });
    bridge.connect();
    bridge.send('ack', ack, { counter: 5 });
    session.stop();
    expect(window.saved).toEqual({ owner: '01', window: { highest: 5, missing: [1, 2, 3, 4] } });
  });

  it('verifies a kind that the device does not handle, so that its counter is not missed', async () => {
    const world = await SessionHarness.connected();
    world.bridge.send('site-directory', { v: 1, devices: [] });
    world.bridge.send('ack', ack);
    await world.advance(10_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
  });

  it('restarts the counters with a new certificate, and rejects messages bound to the old one', async () => {
    const { bridge, session } = await SessionHarness.connected();
    const old = bridge.frame('ack', ack);
    bridge.serial = '02';
    bridge.connect();
    expect(bridge.received('hello').at(-1)).toMatchObject({ serial: '02', down_counter: 0 });
    bridge.deliver('ack', old);
    expect(session.dropped).toBe(1);
    bridge.send('ack', ack, { counter: 1 });
    expect(session.dropped).toBe(1);
  });

  it('requests a sync when a counter stays missing', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    const late = bridge.frame('ack', ack);
    bridge.send('ack', ack);
    await world.advance(2_900);
    expect(bridge.received('sync-request')).toEqual([]);
    await world.advance(200);
    expect(bridge.received('sync-request')).toHaveLength(1);
    bridge.deliver('ack', late);
    expect(world.session.dropped).toBe(0);
  });

  it('does not request a sync when messages only arrive out of order', async () => {
    const world = await SessionHarness.connected();
    const late = world.bridge.frame('ack', ack);
    world.bridge.send('ack', ack);
    world.bridge.deliver('ack', late);
    await world.advance(10_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
  });

  it('accepts the time of a prompt response, but not of a delayed one', async () => {
    const world = new SessionHarness();
    const { bridge } = world;
    bridge.connect();
    await world.advance(11_000);
    bridge.sendTime({ time: (TEST_NOON + 86_400_000 * 365) as never });
    expect(world.now()).toBe(TEST_NOON + 11_000);
    expect(bridge.received('time-request')).toHaveLength(1);
    await world.advance(100);
    bridge.sendTime({ time: (TEST_NOON + 86_400_000 * 365) as never });
    expect(world.now()).toBe(TEST_NOON + 86_400_000 * 365 + 50);
  });

  it('adds half of the round trip to the time of the bridge', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    world.session.time.request();
    await world.advance(3_000);
    bridge.sendTime({ time: TEST_NOON });
    expect(world.now()).toBe(TEST_NOON + 1_500);
  });

  it('does not take an announcement with the nonce of the session for a response', async () => {
    const world = await SessionHarness.connected();
    await world.advance(4_000);
    const before = world.now();
    world.bridge.send('time', { v: 1, nonce: world.bridge.nonce, time: TEST_NOON, revision: 1, revoke_counter: 0 });
    expect(world.now()).toBe(before);
  });

  it('is never ahead of the bridge, however long connecting takes', async () => {
    const world = new SessionHarness();
    const { bridge } = world;
    bridge.connect(() => world.clock.advance(4_000));
    bridge.sendTime({ time: TEST_NOON });
    expect(world.now()).toBe(TEST_NOON);
    expect(world.session.isOnline).toBe(true);
  });

  it('ignores an unsolicited time and requests the time instead', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    await world.advance(60_000);
    const before = world.now();
    bridge.send('time', { v: 1, nonce: bridge.nonce, time: 0 as never, revision: 1, revoke_counter: 0 });
    expect(world.now()).toBe(before);
    expect(bridge.received('time-request')).toHaveLength(1);
  });

  it('does not count an old message as contact with the bridge', async () => {
    const world = await SessionHarness.connected();
    expect(world.contacts).toBe(1);
    await world.advance(60_000);
    world.bridge.send('time', { v: 1, nonce: world.bridge.nonce, time: 0 as never, revision: 1, revoke_counter: 0 });
    expect(world.contacts).toBe(1);
    world.respond();
    expect(world.contacts).toBe(2);
  });

  it('requests the time every two minutes', async () => {
    const world = await SessionHarness.connected();
    await world.advance(120_000);
    expect(world.bridge.received('time-request')).toHaveLength(1);
  });

  it('reconnects and reports a fault when the bridge does not respond over a connection', async () => {
    const world = new SessionHarness();
    world.bridge.connect();
    await world.advance(59_000);
    expect(world.bridge.reconnects).toBe(0);
    await world.advance(2_000);
    expect(world.bridge.reconnects).toBe(1);
    expect([...world.faults]).toContain('bridge_silent');
    world.bridge.connect();
    world.respond({ nonce: world.bridge.nonce });
    expect([...world.faults]).not.toContain('bridge_silent');
  });

  it('continues with much higher counters when the bridge does not respond, because it may have seen higher ones', async () => {
    const world = new SessionHarness();
    const lastHello = (): number => {
      const { payload } = world.bridge.published.findLast(({ kind }) => kind === 'hello')!;
      const frame = decodeUnverifiedFrame(payload);
      return frame.ok ? frame.value.header.counter : 0;
    };
    world.bridge.connect();
    const before = lastHello();
    await world.advance(61_000);
    world.bridge.connect();
    expect(lastHello()).toBeGreaterThan(before + DAY_MS);
  });

  it('requests missing revisions, and reports a fault when they do not arrive', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    await world.advance(120_000);
    bridge.sendTime({ time: world.now(), revision: 5, revoke_counter: 3 });
    await world.advance(1_900);
    expect(bridge.received('sync-request')).toEqual([]);
    await world.advance(200);
    expect(bridge.received('sync-request')).toHaveLength(1);
    for (let second = 0; second < 70; second++) await world.advance(1_000);
    expect([...world.faults]).toContain('kept_behind');
    expect(bridge.received('sync-request').length).toBeGreaterThan(2);
  });

  it('requests a revocation announced by an acknowledgement until it arrives', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    bridge.send('ack', { ...ack, revision: 5, revoke_counter: 1 });
    for (let second = 0; second < 20; second++) await world.advance(1_000);
    const asked = bridge.received('sync-request').length + bridge.received('hello').length - 1;
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThanOrEqual(10);
  });

  it('does not postpone that request while acknowledgements keep arriving', async () => {
    const world = await SessionHarness.connected();
    for (let turn = 0; turn < 40; turn++) {
      world.bridge.send('ack', { ...ack, revision: 5, revoke_counter: 1 });
      await world.advance(100);
    }
    expect(world.bridge.received('sync-request').length).toBeGreaterThan(0);
  });

  it('requests nothing after an acknowledgement without new revocations', async () => {
    const world = await SessionHarness.connected();
    world.bridge.send('ack', { ...ack, revision: 5, revoke_counter: 0 });
    await world.advance(40_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
  });

  it('does not request a revocation that arrives shortly after its announcement', async () => {
    const world = await SessionHarness.connected();
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    world.bridge.send('ack', { ...ack, revision: 5, revoke_counter: 1 });
    await world.advance(500);
    world.bridge.send('revoke', { v: 1, revision: 5, member_ids: [], ...none }, { counter: 1 });
    await world.advance(10_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
  });

  it('waits longer when no revocation is missing, because most changes concern other doors', async () => {
    const world = await SessionHarness.connected();
    await world.advance(120_000);
    world.bridge.sendTime({ time: world.now(), revision: 5 });
    await world.advance(29_000);
    expect(world.bridge.received('sync-request')).toEqual([]);
    await world.advance(2_000);
    expect(world.bridge.received('sync-request')).toHaveLength(1);
  });

  it('requests nothing while the gateway is offline, and sends hello when it is online again', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    bridge.send('bridge-link', { v: 1, online: false });
    expect(world.session.isOnline).toBe(false);
    await world.advance(900_000);
    expect(bridge.received('time-request')).toEqual([]);
    expect(bridge.received('sync-request')).toEqual([]);
    expect(bridge.reconnects).toBe(0);
    bridge.send('bridge-link', { v: 1, online: true });
    await world.advance(1);
    expect(bridge.received('hello')).toHaveLength(2);
    world.respond();
    bridge.send('bridge-link', { v: 1, online: true });
    await world.advance(2_000);
    expect(bridge.received('hello')).toHaveLength(2);
  });

  it('sends at most one hello per second when the link keeps changing', async () => {
    const world = await SessionHarness.connected();
    for (let turn = 0; turn < 100; turn++) {
      world.bridge.send('bridge-link', { v: 1, online: false });
      world.bridge.send('bridge-link', { v: 1, online: true });
      await world.advance(20);
    }
    expect(world.bridge.received('hello').length).toBeLessThan(5);
  });

  it('sends hello again when the bridge does not respond, because it may have restarted', async () => {
    const world = await SessionHarness.connected();
    await world.advance(120_000);
    await world.advance(20_000);
    expect(world.bridge.received('hello')).toHaveLength(2);
    expect(world.bridge.reconnects).toBe(0);
  });

  it('requests a sync after a gap in the revocations', async () => {
    const world = await SessionHarness.connected();
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    world.bridge.send('revoke', { v: 1, revision: 3, member_ids: [], ...none }, { counter: 2 });
    await world.advance(2_100);
    expect(world.bridge.received('sync-request')).toHaveLength(1);
  });

  it('requests the time, with its position, after a message that may come from a restored bridge', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    const used = bridge.frame('ack', ack);
    bridge.deliver('ack', used);
    for (let turn = 0; turn < 100; turn++) bridge.deliver('ack', used);
    expect(bridge.received('time-request')).toMatchObject([
      { position: { session_nonce: bridge.nonce, snapshot: { revision: 1 }, down_counter: 2, revoke_counter: 0 } },
    ]);
    world.respond();
    await world.advance(10_000);
    bridge.send('time', { v: 1, nonce: 'A'.repeat(22), time: TEST_NOON, revision: 0, revoke_counter: 0 });
    expect(bridge.received('time-request')).toHaveLength(2);
    expect(bridge.received('hello')).toHaveLength(1);
  });

  it('sends hello to a bridge that has lost data, with the counters from before', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    bridge.send('revoke', { v: 1, revision: 1, member_ids: [], ...none }, { counter: 1 });
    world.session.time.request();
    world.respond({ needs_hello: true });
    expect(bridge.received('hello')).toMatchObject([{ revoke_counter: 0 }, { revoke_counter: 1 }]);
    world.respond({ nonce: bridge.nonce, needs_hello: true });
    expect(bridge.received('hello')).toHaveLength(2);
  });

  it('still reports a revocation that has overtaken an announcement', async () => {
    const world = await SessionHarness.connected();
    const { bridge } = world;
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    bridge.send('revoke', { v: 1, revision: 2, member_ids: [], ...none }, { counter: 1 });
    world.respond({ nonce: bridge.nonce });
    world.session.time.request();
    expect(bridge.received('time-request').at(-1)?.position).toMatchObject({ revoke_counter: 1 });
  });
});
