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
