import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message, MessageKind } from '@lintel/wire-protocol/mqtt/message-table';
import { decodeFrame, encodeFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import { type DownKind, downTopic, revokeTopic, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { FirmwareHotel, type FirmwareDoor } from '../support/devices/firmware-hotel.ts';
import { HostileBroker } from '../support/devices/hostile-broker.ts';

let broker: HostileBroker;
let world: BridgeWorld;
let hotel: FirmwareHotel;
let door: FirmwareDoor;
let other: FirmwareDoor;
let member: string;
beforeAll(async () => {
  broker = await HostileBroker.start();
  world = await BridgeWorld.open({ isTicking: true, mqttUrl: broker.url, actionDeadlineMs: 500 });
});
afterAll(async () => {
  await world.close();
  await broker.close();
});
beforeEach(async () => {
  broker.forget();
  hotel = await FirmwareHotel.open(world, { url: broker.url });
  door = await hotel.door();
  other = await hotel.door();
  member = await hotel.member(await hotel.group(door.gadgetId), { pin: '2580' });
  door.start();
  await door.caughtUp();
});
afterEach(() => hotel.close());

const attacker = generateKeyPairSync('ed25519').privateKey;

/** As the organization would say it, but for the key. */
const forged = <K extends MessageKind>(kind: K, message: Message<K>, header: Partial<FrameHeader> = {}): Uint8Array => {
  const { organizationId } = hotel.client;
  const { serial } = door.running.membership()!;
  const addressed = { v: 1, kind, signer: organizationId, audience: door.deviceId, serial } as const;
  return encodeFrame(
    { ...addressed, counter: 100_000, encoding: 'identity', ...header },
    encodeMessage(kind, message),
    bytes => sign(null, bytes, attacker),
  );
};

const down = (kind: DownKind): string => downTopic(door.deviceId as never, kind);
const dropped = (): number => door.running.upstream()!.dropped;
const rejects = async (says: () => Promise<void>, count: number): Promise<void> => {
  const before = dropped();
  await says();
  await hotel.until(
    () => dropped() >= before + count,
    () => `${count} dropped messages; ${door.logged.join('\n')}`,
  );
};
const opens = (): Promise<{ readonly status: number }> =>
  hotel.client.call('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
const usesInTheLog = () => hotel.events(`verb=use&object.gadget_id=${door.gadgetId}`);
const deniesTheMember = (): boolean => {
  door.running.keypad.press('2580#');
  return door.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny')?.kind === 'deny';
};

/** Until the bridge has said all that it has to say of it, whoever heard it. */
const deletes = async (id: string): Promise<void> => {
  const before = broker.of('slice').length;
  await hotel.client.done('DELETE', `/members/${id}`);
  await hotel.until(
    () => broker.of('slice').length > before,
    () => 'the slice without the member',
  );
};

/** After whatever was tried. */
const isHonestStill = async (): Promise<void> => {
  broker.passAll();
  await door.caughtUp();
  await door.reported();
  const before = (await usesInTheLog()).length;
  expect((await opens()).status).toBe(200);
  await door.reported();
  expect(await usesInTheLog()).toHaveLength(before + 1);
};

describe('a broker in the wrong hands', () => {
  it('opens no door with an action of yesterday, neither in the same session nor in a later one', async () => {
    expect((await opens()).status).toBe(200);
    await door.reported();
    const yesterday = broker.of('action');
    await rejects(() => broker.sayAgain(yesterday), 1);
    await door.stop();
    door.start();
    await door.caughtUp();
    await rejects(() => broker.sayAgain(yesterday), 1);
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(1);
    await isHonestStill();
  });

  it('opens no door with an action that it has kept for a later session', async () => {
    broker.withhold('action');
    expect((await opens()).status).toBe(503);
    await door.stop();
    door.start();
    await door.caughtUp();
    broker.passAll();
    await broker.sayAgain(broker.of('action'));
    await isHonestStill();
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(1);
  });

  it('opens no door with an action that it has held back beyond its deadline', async () => {
    broker.withhold('action');
    expect((await opens()).status).toBe(503);
    const [held] = broker.of('action');
    expect((await opens()).status).toBe(503);
    broker.passAll();
    const answers = broker.of('action-result').length;
    await broker.sayAgain([held!]);
    await hotel.until(
      () => broker.of('action-result').length > answers,
      () => `an answer; ${door.logged.join('\n')}`,
    );
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(0);
    await isHonestStill();
  });

  it('plants nothing with a key of its own: no action, slice, time, revocation, acknowledgement or rules', async () => {
    const { organizationId } = hotel.client;
    const held = door.running.controller.heldSlice;
    const action: Message<'action'> = {
      v: 1,
      request_id: 'r1',
      session_nonce: randomBytes(16).toString('base64url'),
      deadline_ms: 5_000,
      gadget_id: door.gadgetId as never,
      action_id: 'open',
      subject: {},
    };
    const slice: Message<'slice'> = {
      v: 1,
      from: null,
      to: 1_000_000,
      digest_key_id: door.running.controller.digestKeyId,
      chunk: 0,
      chunks: 1,
      put: [],
      drop: [],
      digest: '0'.repeat(64),
    };
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    const revoke: Message<'revoke'> = { v: 1, revision: 1_000_000, member_ids: [member as never], ...none };
    const nonce = action.session_nonce;
    await rejects(async () => {
      await broker.say(down('action'), forged('action', action));
      await broker.say(down('slice'), forged('slice', slice));
      await broker.say(
        down('time'),
        forged('time', { v: 1, nonce, time: 4e12 as never, revision: 0, revoke_counter: 0 }),
      );
      await broker.say(down('ack'), forged('ack', { v: 1, up_to: 1_000_000, event_ids: [] }));
      const rules = { v: 1, outcome: 'superseded', message: null, revision: 0, input_rules: [] } as const;
      await broker.say(down('rules'), forged('rules', { ...rules, input_rules: [] }));
      const toAll = { audience: organizationId, serial: '' };
      await broker.say(revokeTopic(organizationId as never), forged('revoke', revoke, toAll));
    }, 6);
    expect(door.running.controller.heldSlice).toEqual(held);
    expect(deniesTheMember()).toBe(false);
    await isHonestStill();
  });

  it('brings back no slice of yesterday, also after a restart', async () => {
    const yesterday = broker.of('slice').filter(({ topic }) => topic === down('slice'));
    await hotel.client.done('DELETE', `/members/${member}`);
    await door.caughtUp();
    await rejects(() => broker.sayAgain(yesterday), yesterday.length);
    expect(deniesTheMember()).toBe(true);
    await door.stop();
    door.start();
    await door.caughtUp();
    await rejects(() => broker.sayAgain(yesterday), yesterday.length);
    expect(deniesTheMember()).toBe(true);
    await isHonestStill();
  });

  it('takes nobody out with a revocation of yesterday that was undone', async () => {
    await hotel.client.done('DELETE', `/members/${member}`);
    await hotel.client.done('PATCH', `/members/${member}`, { is_deleted: false });
    await door.caughtUp();
    await broker.sayAgain(broker.of('revoke'));
    await isHonestStill();
    expect(deniesTheMember()).toBe(false);
  });

  it('gives one controller nothing that was meant for another', async () => {
    other.start();
    await other.caughtUp();
    const meant = broker.of('slice').filter(({ topic }) => topic.includes(other.deviceId));
    expect(meant).not.toEqual([]);
    const swapped = meant.map(({ payload }) => ({ topic: down('slice'), payload }));
    await rejects(() => broker.sayAgain(swapped), swapped.length);
    await isHonestStill();
  });

  it('moves no clock, forward or back, with a time that is old, forged or the answer to another question', async () => {
    const { time } = door.running;
    const times = broker.of('time');
    const before = time.now();
    await rejects(() => broker.sayAgain(times), times.length);
    const nonce = randomBytes(16).toString('base64url');
    for (const at of [Date.parse('2099-01-01'), 0]) {
      const said = forged('time', { v: 1, nonce, time: at as never, revision: 0, revoke_counter: 0 });
      await rejects(() => broker.say(down('time'), said), 1);
    }
    expect(time.trusted()).toBe(true);
    expect(Math.abs(time.now() - before)).toBeLessThan(10_000);
    await isHonestStill();
  });

  it('writes no event twice by saying a batch again, and none that it made up', async () => {
    door.running.keypad.press('2580');
    await door.reported();
    const batches = broker.of('events');
    await broker.sayAgain([...batches, ...batches.toReversed()]);
    const { payload } = batches[0]!;
    const frame = decodeFrame(payload);
    if (!frame.ok) throw new Error('no frame');
    const made = encodeFrame(frame.value.header, Buffer.from('{"v":1,"events":[]}'), bytes =>
      sign(null, bytes, attacker),
    );
    await broker.say(upTopic(door.deviceId as never, 'events'), made);
    await isHonestStill();
    expect(await usesInTheLog()).toHaveLength(2);
  });

  it('opens no door with a request of a controller that it plays, or of one that has nothing to do with it', async () => {
    const request: Message<'peer-request'> = {
      v: 1,
      request_id: 'r1',
      nonce: randomBytes(16).toString('base64url'),
      deadline_ms: 2_000,
      gadget_id: door.gadgetId as never,
      action_id: 'open',
      occurred_at: world.now,
      time_trusted: true,
      subject: { member_id: member as never, access_method: 'pin' },
      trigger: null,
    };
    const signer = { signer: other.deviceId };
    await rejects(async () => {
      await broker.say(down('peer-hello'), forged('peer-hello', { v: 1, request_id: 'r0' }, signer));
      await broker.say(down('peer-request'), forged('peer-request', request, signer));
    }, 2);
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toEqual([]);
    await isHonestStill();
  });

  it('changes nothing by mixing up the order and saying everything twice', async () => {
    const newcomers = ['1111', '2222', '3333'];
    const group = await hotel.group(door.gadgetId);
    for (const pin of newcomers) await hotel.member(group, { pin });
    await door.caughtUp();
    const all = broker.seen.filter(({ topic }) => topic.includes('/down/'));
    await broker.sayAgain([...all.toReversed(), ...all]);
    for (const pin of newcomers) {
      door.running.keypad.press(pin);
      expect(door.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny')?.kind).toBe('use');
    }
    await isHonestStill();
  });

  it('says garbage to nobody who minds', async () => {
    const garbage = [
      Buffer.alloc(0),
      randomBytes(300),
      Buffer.from('{"v":1}'),
      Buffer.from('{"v":1}\n'),
      Buffer.alloc(900_000, 65),
    ];
    const kinds: DownKind[] = [
      'ack',
      'slice',
      'action',
      'time',
      'rules',
      'line',
      'peer-hello',
      'peer-nonce',
      'peer-request',
      'peer-answer',
    ];
    await rejects(async () => {
      for (const kind of kinds) for (const payload of garbage) await broker.say(down(kind), payload);
    }, kinds.length * garbage.length);
    await isHonestStill();
  });
});

describe('a revocation that is kept back', () => {
  it('is noticed by what the bridge says of the time, asked for, and taken', async () => {
    broker.withhold('revoke', 'slice');
    await deletes(member);
    expect(deniesTheMember()).toBe(false);
    const isAskedFor = (): boolean => broker.of('sync-request').length > 0;
    broker.withholds = ({ topic }) => topic.endsWith('/revoke') || (topic.endsWith('/slice') && !isAskedFor());
    await world.bridge.devices.tellTime();
    await hotel.until(deniesTheMember, () => `a denial; ${door.logged.join('\n')}`);
    expect(isAskedFor()).toBe(true);
    await isHonestStill();
  });

  it('is told as a gap when only a later one comes through', async () => {
    const second = await hotel.member(await hotel.group(door.gadgetId), { pin: '4711' });
    await door.caughtUp();
    broker.withhold('revoke', 'slice');
    await deletes(member);
    broker.withhold('slice');
    await deletes(second);
    expect(deniesTheMember()).toBe(false);
    broker.passAll();
    await hotel.until(deniesTheMember, () => `a denial; ${door.logged.join('\n')}`);
    await isHonestStill();
  });
});
