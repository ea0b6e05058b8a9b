import { beforeEach, describe, expect, it } from 'vitest';
import { SessionHarness } from '../session-harness.test-support.ts';

let world: SessionHarness;
beforeEach(async () => {
  world = await SessionHarness.connected();
});

const sent = (): number[][] =>
  world.bridge.received('events').map(({ events }) => events.map(({ sequence }) => sequence));
const record = async (sequence: number): Promise<void> => {
  world.record(sequence);
  await world.settled();
};

describe('EventUploader', () => {
  it('sends events at once and keeps them until the bridge acknowledges them', async () => {
    await record(1);
    const sequences = sent().flat();
    expect(sequences.length).toBeGreaterThan(0);
    expect(world.events.waiting.length).toBe(sequences.length);
    world.bridge.send('ack', { v: 1, event_ids: world.events.waiting.map(({ id }) => id) });
    expect(world.events.waiting.length).toBe(0);
  });

  it('retries unacknowledged events at increasing intervals', async () => {
    await record(1);
    await world.advance(9_900);
    expect(sent()).toHaveLength(1);
    await world.advance(200);
    expect(sent()).toEqual([[1], [1]]);
    await world.advance(19_000);
    expect(sent()).toHaveLength(2);
    await world.advance(1_100);
    expect(sent()).toHaveLength(3);
  });

  it('sends one batch at a time, and the next one when all of it is acknowledged', async () => {
    const acknowledge = async (...sequences: number[]): Promise<void> => {
      const named = world.events.waiting.filter(({ sequence }) => sequences.includes(sequence));
      world.bridge.send('ack', { v: 1, event_ids: named.map(({ id }) => id) });
      await world.settled();
    };
    for (const sequence of [1, 2]) world.record(sequence);
    await world.settled();
    await record(3);
    await record(4);
    expect(sent()).toEqual([[1, 2]]);
    await acknowledge(2);
    expect(sent()).toEqual([[1, 2]]);
    await acknowledge(1);
    expect(sent()).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('sends events again when the bridge sends the time, unless they were sent just before', async () => {
    await record(1);
    await world.advance(1_000);
    world.respond();
    await world.settled();
    expect(sent()).toEqual([[1]]);
    await world.advance(5_000);
    world.respond();
    await world.settled();
    expect(sent()).toEqual([[1], [1]]);
  });

  it('sends all unacknowledged events in order after a reconnection', async () => {
    await record(1);
    world.bridge.disconnect();
    await record(2);
    world.bridge.connect();
    await world.settled();
    expect(sent()).toEqual([[1], [1, 2]]);
  });

  it('sends each event once while only the gateway is reachable, and all of them again when the bridge is', async () => {
    world.bridge.send('bridge-link', { v: 1, online: false });
    await record(1);
    await record(2);
    await world.advance(900_000);
    expect(sent()).toEqual([[1], [2]]);
    world.bridge.send('bridge-link', { v: 1, online: true });
    await world.advance(10);
    expect(sent()).toEqual([[1], [2], [1, 2]]);
  });

  it('continues after a batch that could not be published', async () => {
    world.bridge.isReachable = false;
    await record(1);
    world.bridge.isReachable = true;
    await world.advance(10_100);
    expect(sent()).toEqual([[1]]);
  });
});
