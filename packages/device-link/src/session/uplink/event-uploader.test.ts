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
    await world.advance(29_000);
    expect(sent()).toHaveLength(1);
    await world.advance(1_100);
    expect(sent()).toEqual([[1], [1]]);
    await world.advance(59_000);
    expect(sent()).toHaveLength(2);
    await world.advance(1_100);
    expect(sent()).toHaveLength(3);
  });

  it('sends events again soon when later ones are acknowledged, also while acknowledgements continue', async () => {
    const acknowledge = async (sequence: number): Promise<void> => {
      const ids = world.events.waiting.filter(event => event.sequence === sequence).map(({ id }) => id);
      world.bridge.send('ack', { v: 1, event_ids: ids });
      await world.settled();
    };
    for (const sequence of [1, 2, 3, 4]) await record(sequence);
    await acknowledge(2);
    await world.advance(2_000);
    await acknowledge(3);
    await world.advance(900);
    expect(sent()).toEqual([[1], [2], [3], [4]]);
    await world.advance(200);
    expect(sent().at(-1)).toEqual([1, 4]);
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

  it('does not retry while only the gateway, which stores events, is reachable', async () => {
    world.bridge.send('line', { v: 1, online: false });
    await record(1);
    expect(sent()).toEqual([[1]]);
    await world.advance(900_000);
    expect(sent()).toHaveLength(1);
  });

  it('continues after a batch that could not be published', async () => {
    world.bridge.isReachable = false;
    await record(1);
    world.bridge.isReachable = true;
    await world.advance(30_100);
    expect(sent()).toEqual([[1]]);
  });
});
