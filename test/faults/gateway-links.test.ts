import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SeededRandom } from '../support/seeded-random.ts';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { FaultySite, openBridgeInRealTime } from '../support/faults/faulty-site.ts';
import type { FaultyTcpProxy } from '../support/faults/faulty-tcp-proxy.ts';
import { iterations, runSeed } from '../support/test-iterations-and-seed.ts';

const DOORS = 2;
const RESETS = iterations({ sample: 3, all: 12 });
/** Detects a dead connection within seconds. */
const connectionLimits = { firstRetryMs: 20, longestRetryMs: 100, keepaliveS: 1 };

let bridge: TestBridge;
let site: FaultySite;
beforeAll(async () => {
  bridge = await openBridgeInRealTime();
});
afterAll(() => bridge.close());
beforeEach(async () => {
  site = await FaultySite.open(bridge);
  await site.startInProcess({ connectionLimits });
  await site.addDoors(DOORS);
});
afterEach(context => site.close(context));

/** Opens the doors until then. Resolves with how often each was opened. */
const tapUntil = async (isOver: () => boolean): Promise<number> => {
  let taps = 0;
  while (!isOver()) {
    if (!site.isBacklogLong) {
      site.tapAll();
      taps++;
    }
    for (let pause = 0; pause < 20; pause++) await turn();
  }
  return taps;
};

const describeLink = (linkOf: () => FaultyTcpProxy): void => {
  it('loses no event when connections are reset in the middle of messages', { timeout: 600_000 }, async () => {
    const random = new SeededRandom(runSeed());
    const link = linkOf();
    let resets = 0;
    const resetting = (async () => {
      for (; resets < RESETS; resets++) await link.resetAfter(200 + random.below(20_000));
    })();
    const taps = await tapUntil(() => resets === RESETS);
    await resetting;
    await site.waitUntilAllUploaded();
    await site.expectAllOnceInOrder(taps);
    expect(link.connections).toBeGreaterThanOrEqual(RESETS);
  });

  it('loses no event while it is cut', async () => {
    linkOf().cut();
    for (let tap = 0; tap < 50; tap++) site.tapAll();
    linkOf().restore();
    await site.waitUntilAllUploaded();
    await site.expectAllOnceInOrder(50);
  });
};

describe('Link from the controllers to the gateway', { tags: ['slow'] }, () => {
  describeLink(() => site.lan);
});

describe('Link from the gateway to the bridge', () => {
  describeLink(() => site.uplink);

  it('delivers all events in order when it is slow', { tags: ['slow'] }, async () => {
    site.uplink.slowdown = { latency_ms: 20, bytesPerSecond: 40_000 };
    for (let tap = 0; tap < 60; tap++) site.tapAll();
    await site.waitUntilAllUploaded();
    site.uplink.slowdown = null;
    await site.expectAllOnceInOrder(60);
  });

  it('is replaced when it is half open, and repeats what was lost', { tags: ['slow'] }, async () => {
    site.uplink.freeze();
    const before = site.uplink.connections;
    for (let tap = 0; tap < 30; tap++) site.tapAll();
    await site.waitUntil(() => site.uplink.connections > before, 'a new connection');
    await site.waitUntilAllUploaded();
    await site.expectAllOnceInOrder(30);
  });
});
