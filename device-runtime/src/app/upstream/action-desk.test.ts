import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import { beforeEach, expect, it } from 'vitest';
import { UplinkWorld } from '../../testing/uplink-world.ts';

let world: UplinkWorld;
beforeEach(async () => {
  world = await UplinkWorld.connected();
});

const action = (given: Partial<Message<'action'>> = {}): Message<'action'> => ({
  v: 1,
  request_id: 'r1',
  session_nonce: world.bridge.nonce,
  deadline_ms: 5_000,
  gadget_id: 'gad_door' as never,
  action_id: 'open',
  subject: { access_method: 'online' },
  ...given,
});
const outcomes = (): string[] => world.bridge.heard('action-result').map(({ outcome }) => outcome);
const written = async (): Promise<string[]> => {
  await world.settled();
  return world.bridge.heard('events').flatMap(({ events }) => events.map(({ kind }) => kind));
};

it('acts, and answers with the event that it wrote for it', async () => {
  world.bridge.say('action', action());
  expect(world.door.isUnlocked).toBe(true);
  expect(await written()).toContain('use');
  const [event] = world.bridge.heard('events')[0]!.events;
  expect(world.bridge.heard('action-result')).toMatchObject([{ outcome: 'done', event_id: event!.id }]);
  expect(event).toMatchObject({ request_id: 'r1', subject: { access_method: 'online' } });
});

it('answers that it failed while the board of the strike is away, and its event says so', async () => {
  world.door.outputs.fail({ kind: 'absent', message: 'the relay board is gone' });
  world.bridge.say('action', action());
  expect(world.bridge.heard('action-result')).toMatchObject([
    { outcome: 'failed', reason: 'output strike-0: the relay board is gone' },
  ]);
  expect(await written()).not.toContain('use');
});

it('a request that comes again is answered as before and does nothing', async () => {
  world.bridge.say('action', action());
  world.bridge.say('action', action());
  const [first, second] = world.bridge.heard('action-result');
  expect(second).toEqual(first);
  expect((await written()).filter(kind => kind === 'use')).toHaveLength(1);
});

it('a request for another session is refused', async () => {
  const before = action();
  world.bridge.cut();
  world.bridge.connect();
  world.bridge.say('action', before);
  expect(outcomes()).toEqual(['wrong_nonce']);
  expect(world.door.isUnlocked).toBe(false);
});

it('a request that was held back while later things were let through is too late', async () => {
  const kept = world.bridge.frame('action', action());
  world.bridge.say('ack', { v: 1, up_to: 0, event_ids: [] });
  await world.pass(6_000);
  world.bridge.hand('action', kept);
  expect(outcomes()).toEqual(['too_late']);
  expect(world.door.isUnlocked).toBe(false);
});

it('a request that comes before the bridge has told the time waits for it, and is done when it is in time', async () => {
  world = await UplinkWorld.open();
  world.bridge.connect();
  const { time } = world.door;
  world.bridge.say('action', action({ sent_at: time.now() }));
  expect(world.door.isUnlocked).toBe(false);
  await world.pass(500);
  world.answer();
  expect(outcomes()).toEqual(['done']);
  expect(world.door.isUnlocked).toBe(true);
});

it.each([
  ['a request that was held back together with the time', 0, 40_000],
  ['a request that waited for the time beyond its deadline', 6_000, 0],
])('%s is too late', async (_what, waited, heldBack) => {
  world = await UplinkWorld.open();
  world.bridge.connect();
  const sent_at = world.door.time.now();
  await world.pass(heldBack);
  world.bridge.say('action', action(heldBack === 0 ? {} : { sent_at }));
  expect(world.door.isUnlocked).toBe(false);
  expect(world.bridge.heard('time-request').length).toBeGreaterThan(0);
  await world.pass(waited);
  world.answer();
  expect(outcomes()).toEqual(['too_late']);
  expect(world.door.isUnlocked).toBe(false);
});

it('what waited for the time in another session is not done in this one', async () => {
  world = await UplinkWorld.open();
  world.bridge.connect();
  world.bridge.say('action', action({ sent_at: world.door.time.now() }));
  world.bridge.cut();
  world.bridge.connect();
  world.answer();
  expect(world.door.isUnlocked).toBe(false);
});

it.each([
  ['an action that the gadget has not', { action_id: 'explode' }],
  ['a gadget that is not here', { gadget_id: 'gad_01jx5m8z6q0000000000000009' as never }],
])('%s is not found', (_what, given) => {
  world.bridge.say('action', action(given));
  expect(outcomes()).toEqual(['not_found']);
});
