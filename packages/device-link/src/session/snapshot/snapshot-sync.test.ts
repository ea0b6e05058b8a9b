import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPeerEntry, SessionHarness, createSnapshotChunks } from '../session-harness.test-support.ts';

let world: SessionHarness;
beforeEach(async () => {
  world = await SessionHarness.connected();
});

/** A snapshot with this many chunks. */
const inChunks = (to: number, chunks: number): MqttMessageContent<'snapshot'>[] => {
  const entries = Array.from({ length: chunks }, (_, index) => createPeerEntry(`dev_${index}`));
  return entries.map((entry, chunk) => ({ ...createSnapshotChunks(to, entries), chunk, chunks, put: [entry] }));
};

const hand = async (chunks: readonly MqttMessageContent<'snapshot'>[]): Promise<void> => {
  for (const chunk of chunks) world.bridge.send('snapshot', chunk);
  await world.settled();
};
const asked = () => world.bridge.received('sync-request').map(({ have, resume }) => ({ have: have?.revision, resume }));
const served = () => world.bridge.received('active-revision').map(({ revision }) => revision);

describe('SnapshotSync', () => {
  it('applies a snapshot and reports the active revision', async () => {
    await hand([createSnapshotChunks(7, [createPeerEntry('dev_1')])]);
    expect(served()).toEqual([7]);
    expect(asked()).toEqual([]);
  });

  it('requests the next group of chunks once, in the middle of a group, and applies all of them together', async () => {
    const chunks = inChunks(9, 20);
    await hand(chunks.slice(0, 3));
    expect(asked()).toEqual([]);
    await hand(chunks.slice(3, 8));
    await world.advance(1);
    expect(asked()).toEqual([{ have: 1, resume: { revision: 9, chunk: 8 } }]);
    await hand(chunks.slice(8, 16));
    await world.advance(1);
    expect(asked()).toEqual([8, 16].map(chunk => ({ have: 1, resume: { revision: 9, chunk } })));
    expect(served()).toEqual([]);
    await hand(chunks.slice(16));
    expect(served()).toEqual([9]);
    await world.advance(600_000);
    expect(asked()).toHaveLength(2);
  });

  it('requests groups ahead of a snapshot whose number of chunks is not known yet', async () => {
    const chunks = inChunks(9, 16).map((chunk, index) =>
      index < 15 ? { ...chunk, chunks: null, digest: null } : chunk,
    );
    await hand(chunks.slice(0, 8));
    await hand(chunks.slice(8));
    await world.advance(1);
    expect(world.bridge.received('sync-request').map(({ resume, ahead }) => [resume?.chunk, ahead])).toEqual([
      [8, true],
      [16, true],
    ]);
    expect(served()).toEqual([9]);
    await world.advance(600_000);
    expect(asked()).toHaveLength(2);
  });

  it('requests a group again that does not arrive', async () => {
    await hand(inChunks(9, 20).slice(0, 8));
    await world.advance(15_100);
    expect(asked()).toEqual([8, 8].map(chunk => ({ have: 1, resume: { revision: 9, chunk } })));
  });

  it('resumes where it was interrupted', async () => {
    const chunks = inChunks(9, 20);
    await hand(chunks.slice(0, 5));
    world.bridge.disconnect();
    world.bridge.connect();
    expect(world.bridge.received('hello').at(-1)!.resume).toEqual({ revision: 9, chunk: 5 });
    await hand(chunks.slice(5, 13));
    await world.advance(1);
    expect(asked()).toEqual([8, 13].map(chunk => ({ have: 1, resume: { revision: 9, chunk } })));
  });

  it('repeats its request when nothing arrives', async () => {
    await hand(inChunks(9, 20).slice(0, 3));
    await world.advance(14_000);
    expect(asked()).toEqual([]);
    await world.advance(1_100);
    expect(asked()).toEqual([{ have: 1, resume: { revision: 9, chunk: 3 } }]);
    await world.advance(31_000);
    expect(asked()).toHaveLength(2);
  });

  it('rejects a delta with another base and reports the revision it holds', async () => {
    await hand([{ ...createSnapshotChunks(9), from: 8 }]);
    await world.advance(1);
    expect(asked()).toEqual([{ have: 1, resume: null }]);
    expect(world.held?.revision).toBe(1);
  });

  it('rejects a snapshot that does not match its digest and requests everything again', async () => {
    await hand([{ ...createSnapshotChunks(9, [createPeerEntry('dev_1')]), digest: '0'.repeat(64) }]);
    await world.advance(1);
    expect(asked()).toEqual([{ have: undefined, resume: null }]);
    await hand([createSnapshotChunks(9, [createPeerEntry('dev_1')])]);
    expect(served()).toEqual([9]);
  });

  it('requests at increasing intervals from a bridge that keeps sending unusable data', async () => {
    const wrong = { ...createSnapshotChunks(9), from: 8 };
    for (let second = 0; second < 120; second++) {
      await hand([wrong]);
      await world.advance(1_000);
    }
    expect(asked().length).toBeGreaterThan(4);
    expect(asked().length).toBeLessThan(12);
  });

  it('buffers no more chunks than it requested', async () => {
    for (const chunk of inChunks(9, 60)) world.bridge.send('snapshot', chunk);
    expect(world.session.dropped).toBeGreaterThan(30);
    await world.settled();
  });

  it('sends hello again, once, when its requests are not answered', async () => {
    const late = world.bridge.frame('ack', { v: 1, event_ids: [] });
    world.bridge.send('ack', { v: 1, event_ids: [] });
    for (let second = 0; second < 100; second++) await world.advance(1_000);
    expect(world.bridge.received('hello')).toHaveLength(2);
    expect(asked().length).toBeGreaterThanOrEqual(2);
    world.bridge.deliver('ack', late);
  });

  it('stops requesting once the bridge says that it is up to date', async () => {
    world.bridge.frame('ack', { v: 1, event_ids: [] });
    world.bridge.send('ack', { v: 1, event_ids: [] });
    await world.advance(4_000);
    expect(asked()).toHaveLength(1);
    await world.advance(296_000 - 4_000);
    const before = asked().length;
    await world.advance(10_000);
    world.respond();
    await world.advance(280_000);
    expect(asked()).toHaveLength(before);
  });
});
