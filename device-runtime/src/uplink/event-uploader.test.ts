import { beforeEach, describe, expect, it } from 'vitest';
import { UplinkWorld } from '../test-support/uplink-world.test-support.ts';

let world: UplinkWorld;
beforeEach(async () => {
  world = await UplinkWorld.connected();
});

const sent = (): number[][] =>
  world.bridge.received('events').map(({ events }) => events.map(({ sequence }) => sequence));
const tap = async (uid = '04a1b2c3'): Promise<void> => {
  world.door.reader.tap(uid);
  await world.settled();
};

describe('EventPump', () => {
  it('sends events at once and keeps them until the bridge acknowledges them', async () => {
    await tap();
    const sequences = sent().flat();
    expect(sequences.length).toBeGreaterThan(0);
    expect(world.door.controller.waitingEvents()).toBe(sequences.length);
    world.bridge.send('ack', { v: 1, up_to: Math.max(...sequences), event_ids: [] });
    expect(world.door.controller.waitingEvents()).toBe(0);
  });

  it('retries unacknowledged events at increasing intervals', async () => {
    await tap('0badc0de');
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
    await tap('0badc0de');
    world.bridge.disconnect();
    await tap('0badc0df');
    world.bridge.connect();
    await world.settled();
    expect(sent()).toEqual([[1], [1, 2]]);
  });

  it('does not retry while only the gateway, which stores events, is reachable', async () => {
    world.bridge.send('line', { v: 1, online: false });
    await tap('0badc0de');
    expect(sent()).toEqual([[1]]);
    await world.advance(900_000);
    expect(sent()).toHaveLength(1);
  });

  it('continues after a batch that could not be published', async () => {
    world.bridge.isReachable = false;
    await tap('0badc0de');
    world.bridge.isReachable = true;
    await world.advance(30_100);
    expect(sent()).toEqual([[1]]);
  });
});
