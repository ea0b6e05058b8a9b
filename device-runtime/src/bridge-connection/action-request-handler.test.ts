import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { beforeEach, describe, expect, it } from 'vitest';
import { DoorWithFakeBridge } from '../testing/door-with-fake-bridge.ts';

let world: DoorWithFakeBridge;
beforeEach(async () => {
  world = await DoorWithFakeBridge.connected();
});

const action = (given: Partial<MqttMessageContent<'action'>> = {}): MqttMessageContent<'action'> => ({
  v: 1,
  request_id: 'r1',
  session_nonce: world.bridge.nonce,
  deadline_ms: 5_000,
  gadget_id: 'gad_door' as never,
  action_id: 'open',
  subject: { access_method: 'online' },
  ...given,
});
const outcomes = (): string[] => world.bridge.received('action-result').map(({ outcome }) => outcome);
const written = async (): Promise<string[]> => {
  await world.settled();
  return world.bridge.received('events').flatMap(({ events }) => events.map(({ kind }) => kind));
};

describe('action request', () => {
  it('is executed, and the response names the event recorded for it', async () => {
    world.bridge.send('action', action());
    expect(world.door.isUnlocked).toBe(true);
    expect(await written()).toContain('use');
    const [event] = world.bridge.received('events')[0]!.events;
    expect(world.bridge.received('action-result')).toMatchObject([{ outcome: 'done', event_id: event!.id }]);
    expect(event).toMatchObject({ request_id: 'r1', subject: { access_method: 'online' } });
  });

  it('fails while the strike board is missing, and its event says so', async () => {
    world.door.outputs.fail({ kind: 'absent', message: 'the relay board is gone' });
    world.bridge.send('action', action());
    expect(world.bridge.received('action-result')).toMatchObject([
      { outcome: 'failed', reason: 'output strike-0: the relay board is gone' },
    ]);
    expect(await written()).not.toContain('use');
  });

  it('is answered from memory when it is repeated, without another action', async () => {
    world.bridge.send('action', action());
    world.bridge.send('action', action());
    const [first, second] = world.bridge.received('action-result');
    expect(second).toEqual(first);
    expect((await written()).filter(kind => kind === 'use')).toHaveLength(1);
  });

  it('for another session is rejected', async () => {
    const before = action();
    world.bridge.disconnect();
    world.bridge.connect();
    world.bridge.send('action', before);
    expect(outcomes()).toEqual(['wrong_nonce']);
    expect(world.door.isUnlocked).toBe(false);
  });

  it('that was delayed while later messages arrived is rejected as too late', async () => {
    const kept = world.bridge.frame('action', action());
    world.bridge.send('ack', { v: 1, event_ids: [] });
    await world.advance(6_000);
    world.bridge.deliver('action', kept);
    expect(outcomes()).toEqual(['too_late']);
    expect(world.door.isUnlocked).toBe(false);
  });

  it('that arrives before the time waits for it, and is executed if it is in time', async () => {
    world = await DoorWithFakeBridge.open();
    world.bridge.connect();
    const { time } = world.door;
    world.bridge.send('action', action({ sent_at: time.now() }));
    expect(world.door.isUnlocked).toBe(false);
    await world.advance(500);
    world.respond();
    expect(outcomes()).toEqual(['done']);
    expect(world.door.isUnlocked).toBe(true);
  });

  it.each([
    ['a request that was held back together with the time', 0, 40_000],
    ['a request that waited for the time beyond its deadline', 6_000, 0],
  ])('is rejected as too late: %s', async (_what, waited, heldBack) => {
    world = await DoorWithFakeBridge.open();
    world.bridge.connect();
    const sent_at = world.door.time.now();
    await world.advance(heldBack);
    world.bridge.send('action', action(heldBack === 0 ? {} : { sent_at }));
    expect(world.door.isUnlocked).toBe(false);
    expect(world.bridge.received('time-request').length).toBeGreaterThan(0);
    await world.advance(waited);
    world.respond();
    expect(outcomes()).toEqual(['too_late']);
    expect(world.door.isUnlocked).toBe(false);
  });

  it('that waited for the time in an earlier session is not executed in this one', async () => {
    world = await DoorWithFakeBridge.open();
    world.bridge.connect();
    world.bridge.send('action', action({ sent_at: world.door.time.now() }));
    world.bridge.disconnect();
    world.bridge.connect();
    world.respond();
    expect(world.door.isUnlocked).toBe(false);
  });

  it.each([
    ['unknown action', { action_id: 'explode' }],
    ['gadget of another controller', { gadget_id: 'gad_01jx5m8z6q0000000000000009' as never }],
  ])('is answered with not_found: %s', (_what, given) => {
    world.bridge.send('action', action(given));
    expect(outcomes()).toEqual(['not_found']);
  });
});
