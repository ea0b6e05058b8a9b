import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { HOUR_MS } from '@lintel/access-core/durations';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent, MqttMessageKind } from '@lintel/wire-protocol/mqtt/message-definitions';
import { decodeUnverifiedFrame, encodeSignedFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import {
  type DownlinkMessageKind,
  buildDownlinkTopic,
  buildRevocationTopic,
  buildUplinkTopic,
} from '@lintel/wire-protocol/mqtt/topics';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { FirmwareSite, type FirmwareController } from '../support/devices/firmware-site.ts';
import { HostileBroker } from '../support/devices/hostile-broker.ts';
import { AdvanceableClock } from '../support/devices/advanceable-clock.ts';
import { ManualTimers } from '../support/manual-timers.ts';

/** Longer than the deadline of an action and the time that the controller allows for travel. */
const TOO_LATE_SECONDS = 20;

const clock = new AdvanceableClock();
const timers = new ManualTimers();

let broker: HostileBroker;
let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
let other: FirmwareController;
let member: string;
beforeAll(async () => {
  broker = await HostileBroker.start();
  bridge = await TestBridge.open({ isTicking: true, mqttUrl: broker.url, timers });
});
afterAll(async () => {
  await bridge.close();
  await broker.close();
});
beforeEach(async () => {
  broker.reset();
  site = await FirmwareSite.open(bridge, { url: broker.url });
  door = await site.claimController();
  other = await site.claimController();
  member = await site.createMember(await site.createGroup(door.gadgetId), { pin: '2580' });
  door.start(undefined, { clock });
  await door.waitUntilSynced();
});
afterEach(() => site.close());

const attacker = generateKeyPairSync('ed25519').privateKey;

/** A message of the organization that is signed with another key. */
const forge = <K extends MqttMessageKind>(
  kind: K,
  message: MqttMessageContent<K>,
  header: Partial<FrameHeader> = {},
): Uint8Array => {
  const { organizationId } = site.client;
  const { serial } = door.running.enrollment()!;
  const addressed = { v: 1, kind, signer: organizationId, audience: door.deviceId, serial } as const;
  return encodeSignedFrame(
    { ...addressed, counter: 100_000, encoding: 'identity', ...header },
    encodeMqttMessage(kind, message),
    bytes => sign(null, bytes, attacker),
  );
};

const down = (kind: DownlinkMessageKind): string => buildDownlinkTopic(door.deviceId as never, kind);
const dropped = (): number => door.running.upstream()!.dropped;
const expectRejected = async (send: () => Promise<void>, count: number): Promise<void> => {
  const before = dropped();
  await send();
  await site.waitUntil(
    () => dropped() >= before + count,
    () => `${count} dropped messages; ${door.logged.join('\n')}`,
  );
};
const openDoor = (): Promise<{ readonly status: number }> =>
  site.client.call('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
const usesAtBridge = () => site.events(`verb=use&object.gadget_id=${door.gadgetId}`);
const isMemberDenied = (): boolean => {
  door.running.keypad.press('2580#');
  return door.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny')?.kind === 'deny';
};

/** Requests an action that the broker withholds. The bridge stops waiting for the controller. */
const openDoorInVain = async (): Promise<void> => {
  const before = broker.messagesOf('action').length;
  const response = openDoor();
  await site.waitUntil(
    () => broker.messagesOf('action').length > before,
    () => `an action; ${door.logged.join('\n')}`,
  );
  await timers.fire();
  expect((await response).status).toBe(503);
};

/** Deletes a member, and waits until the bridge has sent the new snapshot. */
const deleteMember = async (id: string): Promise<void> => {
  const before = broker.messagesOf('snapshot').length;
  await site.client.callOk('DELETE', `/members/${id}`);
  await site.waitUntil(
    () => broker.messagesOf('snapshot').length > before,
    () => 'the snapshot without the member',
  );
};

/** The controller still works after the attack. */
const expectWorking = async (): Promise<void> => {
  broker.stopWithholding();
  await door.waitUntilSessionOpened();
  await door.waitUntilSynced();
  await door.waitUntilEventsUploaded();
  const before = (await usesAtBridge()).length;
  expect((await openDoor()).status).toBe(200);
  await door.waitUntilEventsUploaded();
  expect(await usesAtBridge()).toHaveLength(before + 1);
};

describe('Compromised broker', () => {
  it('cannot open a door by replaying an action, in the same session or a later one', { tags: ['slow'] }, async () => {
    expect((await openDoor()).status).toBe(200);
    await door.waitUntilEventsUploaded();
    const recorded = broker.messagesOf('action');
    await expectRejected(() => broker.replay(recorded), 1);
    await door.stop();
    door.start(undefined, { clock });
    await door.waitUntilSynced();
    await expectRejected(() => broker.replay(recorded), 1);
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(1);
    await expectWorking();
  });

  it('cannot open a door with an action that it withheld until a later session', { tags: ['slow'] }, async () => {
    broker.withhold('action');
    await openDoorInVain();
    await door.stop();
    door.start(undefined, { clock });
    await door.waitUntilSynced();
    broker.stopWithholding();
    await broker.replay(broker.messagesOf('action'));
    await expectWorking();
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(1);
  });

  it('cannot open a door with an action that it withheld beyond its deadline', { tags: ['slow'] }, async () => {
    broker.withhold('action');
    await openDoorInVain();
    const [held] = broker.messagesOf('action');
    bridge.advanceSeconds(TOO_LATE_SECONDS);
    clock.advanceSeconds(TOO_LATE_SECONDS);
    broker.stopWithholding();
    const answers = broker.messagesOf('action-result').length;
    await broker.replay([held!]);
    await site.waitUntil(
      () => broker.messagesOf('action-result').length > answers,
      () => `an answer; ${door.logged.join('\n')}`,
    );
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(0);
    await expectWorking();
  });

  it('cannot forge an action, a snapshot, a time, a revocation, an acknowledgement or rules', async () => {
    const { organizationId } = site.client;
    const held = door.running.controller.storedSnapshot;
    const action: MqttMessageContent<'action'> = {
      v: 1,
      request_id: 'r1',
      session_nonce: randomBytes(16).toString('base64url'),
      deadline_ms: 5_000,
      gadget_id: door.gadgetId as never,
      action_id: 'open',
      subject: {},
    };
    const snapshot: MqttMessageContent<'snapshot'> = {
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
    const revoke: MqttMessageContent<'revoke'> = { v: 1, revision: 1_000_000, member_ids: [member as never], ...none };
    const nonce = action.session_nonce;
    await expectRejected(async () => {
      await broker.publish(down('action'), forge('action', action));
      await broker.publish(down('snapshot'), forge('snapshot', snapshot));
      await broker.publish(
        down('time'),
        forge('time', { v: 1, nonce, time: 4e12 as never, revision: 0, revoke_counter: 0 }),
      );
      await broker.publish(down('ack'), forge('ack', { v: 1, event_ids: [] }));
      const rules = { v: 1, outcome: 'superseded', message: null, revision: 0, input_rules: [] } as const;
      await broker.publish(down('rules'), forge('rules', { ...rules, input_rules: [] }));
      const toAll = { audience: organizationId, serial: '' };
      await broker.publish(buildRevocationTopic(organizationId as never), forge('revoke', revoke, toAll));
    }, 6);
    expect(door.running.controller.storedSnapshot).toEqual(held);
    expect(isMemberDenied()).toBe(false);
    await expectWorking();
  });

  it('cannot replay an old snapshot, also after a restart', async () => {
    const recorded = broker.messagesOf('snapshot').filter(({ topic }) => topic === down('snapshot'));
    await site.client.callOk('DELETE', `/members/${member}`);
    await door.waitUntilSynced();
    await expectRejected(() => broker.replay(recorded), recorded.length);
    expect(isMemberDenied()).toBe(true);
    await door.stop();
    door.start(undefined, { clock });
    await door.waitUntilSynced();
    await expectRejected(() => broker.replay(recorded), recorded.length);
    expect(isMemberDenied()).toBe(true);
    await expectWorking();
  });

  it('cannot replay a revocation that was undone', async () => {
    await site.client.callOk('DELETE', `/members/${member}`);
    await site.client.callOk('PATCH', `/members/${member}`, { is_deleted: false });
    await door.waitUntilSynced();
    await broker.replay(broker.messagesOf('revoke'));
    await expectWorking();
    expect(isMemberDenied()).toBe(false);
  });

  it('cannot give a controller messages for another one', async () => {
    other.start();
    await other.waitUntilSynced();
    const meant = broker.messagesOf('snapshot').filter(({ topic }) => topic.includes(other.deviceId));
    expect(meant).not.toEqual([]);
    const swapped = meant.map(({ payload }) => ({ topic: down('snapshot'), payload }));
    await expectRejected(() => broker.replay(swapped), swapped.length);
    await expectWorking();
  });

  it('cannot set the clock with a replayed or forged time', async () => {
    const { time } = door.running;
    const times = broker.messagesOf('time');
    const before = time.now();
    await expectRejected(() => broker.replay(times), times.length);
    const nonce = randomBytes(16).toString('base64url');
    for (const at of [Date.parse('2099-01-01'), 0]) {
      const said = forge('time', { v: 1, nonce, time: at as never, revision: 0, revoke_counter: 0 });
      await expectRejected(() => broker.publish(down('time'), said), 1);
    }
    expect(time.isTrusted()).toBe(true);
    expect(Math.abs(time.now() - before)).toBeLessThan(HOUR_MS);
    await expectWorking();
  });

  it('cannot duplicate events by replaying a batch, nor forge any', async () => {
    door.running.keypad.press('2580');
    await door.waitUntilEventsUploaded();
    const batches = broker.messagesOf('events');
    await broker.replay([...batches, ...batches.toReversed()]);
    const { payload } = batches[0]!;
    const frame = decodeUnverifiedFrame(payload);
    if (!frame.ok) throw new Error('no frame');
    const made = encodeSignedFrame(frame.value.header, Buffer.from('{"v":1,"events":[]}'), bytes =>
      sign(null, bytes, attacker),
    );
    await broker.publish(buildUplinkTopic(door.deviceId as never, 'events'), made);
    await expectWorking();
    expect(await usesAtBridge()).toHaveLength(2);
  });

  it('cannot open a door with a forged request of another controller', async () => {
    const request: MqttMessageContent<'peer-request'> = {
      v: 1,
      request_id: 'r1',
      nonce: randomBytes(16).toString('base64url'),
      deadline_ms: 2_000,
      gadget_id: door.gadgetId as never,
      action_id: 'open',
      occurred_at: bridge.now,
      time_trusted: true,
      subject: { member_id: member as never, access_method: 'pin' },
      trigger: null,
    };
    const signer = { signer: other.deviceId };
    await expectRejected(async () => {
      await broker.publish(down('peer-hello'), forge('peer-hello', { v: 1, request_id: 'r0' }, signer));
      await broker.publish(down('peer-request'), forge('peer-request', request, signer));
    }, 2);
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toEqual([]);
    await expectWorking();
  });

  it('changes nothing by reordering and repeating all messages', { tags: ['slow'] }, async () => {
    const newcomers = ['1111', '2222', '3333'];
    const group = await site.createGroup(door.gadgetId);
    for (const pin of newcomers) await site.createMember(group, { pin });
    await door.waitUntilSynced();
    const all = broker.seen.filter(({ topic }) => topic.includes('/down/'));
    await broker.replay([...all.toReversed(), ...all]);
    for (const pin of newcomers) {
      door.running.keypad.press(pin);
      expect(door.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny')?.kind).toBe('use');
    }
    await expectWorking();
  });

  it('disturbs nothing with malformed messages', async () => {
    const garbage = [
      Buffer.alloc(0),
      randomBytes(300),
      Buffer.from('{"v":1}'),
      Buffer.from('{"v":1}\n'),
      Buffer.alloc(900_000, 65),
    ];
    const kinds: DownlinkMessageKind[] = [
      'ack',
      'snapshot',
      'action',
      'time',
      'rules',
      'bridge-link',
      'peer-hello',
      'peer-nonce',
      'peer-request',
      'peer-answer',
    ];
    await expectRejected(async () => {
      for (const kind of kinds) for (const payload of garbage) await broker.publish(down(kind), payload);
    }, kinds.length * garbage.length);
    await expectWorking();
  });
});

describe('Withheld revocation', () => {
  it('is detected from the time message of the bridge, requested and applied', { tags: ['slow'] }, async () => {
    broker.withhold('revoke', 'snapshot');
    await deleteMember(member);
    expect(isMemberDenied()).toBe(false);
    const isAskedFor = (): boolean => broker.messagesOf('sync-request').length > 0;
    broker.withholds = ({ topic }) => topic.endsWith('/revoke') || (topic.endsWith('/snapshot') && !isAskedFor());
    await bridge.devices.broadcastTime();
    await site.waitUntil(isMemberDenied, () => `a denial; ${door.logged.join('\n')}`);
    expect(isAskedFor()).toBe(true);
    await expectWorking();
  });

  it('is detected as a gap when a later one arrives', { tags: ['slow'] }, async () => {
    const second = await site.createMember(await site.createGroup(door.gadgetId), { pin: '4711' });
    await door.waitUntilSynced();
    broker.withhold('revoke', 'snapshot');
    await deleteMember(member);
    broker.withhold('snapshot');
    await deleteMember(second);
    expect(isMemberDenied()).toBe(false);
    broker.stopWithholding();
    await site.waitUntil(isMemberDenied, () => `a denial; ${door.logged.join('\n')}`);
    await expectWorking();
  });
});
