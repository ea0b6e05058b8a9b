import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { beforeEach, expect, it } from 'vitest';
import { digestOfEntries, memberEntry, snapshotOf } from '../../testing/door-entries.ts';
import { annsDoor, digests } from '../../testing/door-world.ts';
import { UplinkWorld } from '../../testing/uplink-world.ts';

let world: UplinkWorld;
beforeEach(async () => {
  world = await UplinkWorld.connected();
});

const crowd = (count: number): SliceEntry[] =>
  Array.from({ length: count }, (_, index) => memberEntry(digests, `mem_${index}`, { groups: ['mg_all'] }));

/** A snapshot with so many chunks. */
const inChunks = (to: number, count: number): Message<'slice'>[] => {
  const entries = [...annsDoor(), ...crowd(count - 1)];
  const whole = { v: 1, from: null, to, digest_key_id: digests.keyId, chunks: count, drop: [] } as const;
  const digest = digestOfEntries(entries);
  const parts = [annsDoor(), ...crowd(count - 1).map(entry => [entry])];
  return parts.map((put, chunk) => ({ ...whole, digest, chunk, put, drop: [] }));
};

const hand = async (chunks: readonly Message<'slice'>[]): Promise<void> => {
  for (const chunk of chunks) world.bridge.say('slice', chunk);
  await world.settled();
};
const asked = () => world.bridge.heard('sync-request').map(({ have, resume }) => ({ have: have?.revision, resume }));
const served = () => world.bridge.heard('serving').map(({ revision }) => revision);

it('applies a snapshot and says that it serves it', async () => {
  await hand([snapshotOf(annsDoor(), 7, digests.keyId)]);
  expect(served()).toEqual([7]);
  expect(asked()).toEqual([]);
});

it('asks for the next group when it has one, once, and applies all of them together', async () => {
  const chunks = inChunks(9, 20);
  await hand(chunks.slice(0, 8));
  await world.pass(1);
  expect(asked()).toEqual([{ have: 1, resume: { revision: 9, chunk: 8 } }]);
  await hand(chunks.slice(8, 16));
  await world.pass(1);
  expect(asked()).toHaveLength(2);
  expect(served()).toEqual([]);
  await hand(chunks.slice(16));
  expect(served()).toEqual([9]);
  await world.pass(600_000);
  expect(asked()).toHaveLength(2);
});

it('goes on where it was interrupted', async () => {
  const chunks = inChunks(9, 20);
  await hand(chunks.slice(0, 5));
  world.bridge.cut();
  world.bridge.connect();
  expect(world.bridge.heard('hello').at(-1)!.resume).toEqual({ revision: 9, chunk: 5 });
  await hand(chunks.slice(5, 13));
  await world.pass(1);
  expect(asked()).toEqual([{ have: 1, resume: { revision: 9, chunk: 13 } }]);
});

it('asks again when nothing comes', async () => {
  await hand(inChunks(9, 20).slice(0, 3));
  await world.pass(14_000);
  expect(asked()).toEqual([]);
  await world.pass(1_100);
  expect(asked()).toEqual([{ have: 1, resume: { revision: 9, chunk: 3 } }]);
  await world.pass(31_000);
  expect(asked()).toHaveLength(2);
});

it('a delta upon another base is refused, and what is held is told', async () => {
  await hand([{ ...snapshotOf([], 9, digests.keyId), from: 8 }]);
  await world.pass(1);
  expect(asked()).toEqual([{ have: 1, resume: null }]);
  expect(world.door.controller.heldSlice?.revision).toBe(1);
});

it('a slice that is not what its digest says is refused, and everything is asked for', async () => {
  await hand([{ ...snapshotOf(annsDoor(), 9, digests.keyId), digest: '0'.repeat(64) }]);
  await world.pass(1);
  expect(asked()).toEqual([{ have: undefined, resume: null }]);
  await hand([snapshotOf(annsDoor(), 9, digests.keyId)]);
  expect(served()).toEqual([9]);
});

it('who sends what cannot be used again and again is asked more and more rarely', async () => {
  const wrong = { ...snapshotOf([], 9, digests.keyId), from: 8 };
  for (let second = 0; second < 120; second++) {
    await hand([wrong]);
    await world.pass(1_000);
  }
  expect(asked().length).toBeGreaterThan(4);
  expect(asked().length).toBeLessThan(12);
});

it('a slice for another digest key is refused, and the fault told', async () => {
  await hand([snapshotOf(annsDoor(), 9, 'another')]);
  await world.pass(1);
  expect(world.door.controller.heldSlice?.revision).toBe(1);
  expect(world.faults()).toContain('digest_key_unknown');
  await hand([snapshotOf(annsDoor(), 9, digests.keyId)]);
  expect(world.faults()).not.toContain('digest_key_unknown');
});

it('keeps no more chunks waiting than it asked for', async () => {
  for (const chunk of inChunks(9, 60)) world.bridge.say('slice', chunk);
  expect(world.uplink.status().dropped).toBeGreaterThan(30);
  await world.settled();
});

it('says hello again when nobody answers its requests, once', async () => {
  const late = world.bridge.frame('ack', { v: 1, up_to: 0, event_ids: [] });
  world.bridge.say('ack', { v: 1, up_to: 0, event_ids: [] });
  for (let second = 0; second < 100; second++) await world.pass(1_000);
  expect(world.bridge.heard('hello')).toHaveLength(2);
  expect(asked().length).toBeGreaterThanOrEqual(2);
  world.bridge.hand('ack', late);
});

it('asks no more once the bridge has said that there is nothing more', async () => {
  world.bridge.frame('ack', { v: 1, up_to: 0, event_ids: [] });
  world.bridge.say('ack', { v: 1, up_to: 0, event_ids: [] });
  await world.pass(4_000);
  expect(asked()).toHaveLength(1);
  await world.pass(296_000 - 4_000);
  const before = asked().length;
  await world.pass(10_000);
  world.answer();
  await world.pass(280_000);
  expect(asked()).toHaveLength(before);
});
