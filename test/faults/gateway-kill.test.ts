import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SeededRandom } from '../support/seeded-random.ts';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { FaultySite, openBridgeInRealTime } from '../support/faults/faulty-site.ts';
import { iterations, runSeed } from '../support/test-iterations-and-seed.ts';

const DOORS = 3;
const KILLS = iterations({ sample: 1, all: 8 });

let bridge: TestBridge;
let site: FaultySite;
beforeAll(async () => {
  bridge = await openBridgeInRealTime();
});
afterAll(() => bridge.close());
beforeEach(async () => {
  site = await FaultySite.open(bridge);
  await site.startProcess();
  await site.addDoors(DOORS);
});
afterEach(context => site.close(context));

/** Opens the doors while `work` runs. Resolves with how often each was opened. */
const tapDuring = async (work: Promise<unknown>): Promise<number> => {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  work.then(over, over);
  let taps = 0;
  while (!isOver) {
    if (!site.isBacklogLong) {
      site.tapAll();
      taps++;
    }
    for (let pause = 0; pause < 40; pause++) await turn();
  }
  await work;
  return taps;
};

const killAfter = async (bytes: number, isInbound: boolean): Promise<void> => {
  await (isInbound ? site.lan : site.uplink).after(bytes);
  await site.gateway.stop('SIGKILL');
};

describe('Gateway that is killed', () => {
  it('neither loses nor repeats an event, whatever it was carrying', { timeout: 600_000 }, async () => {
    const random = new SeededRandom(runSeed());
    let taps = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      taps += await tapDuring(killAfter(500 + random.below(40_000), random.chance(0.5)));
      for (let tap = random.below(20); tap > 0; tap--, taps++) site.tapAll();
      await site.startProcess();
    }
    await site.waitUntilAllUploaded();
    await site.expectAllOnceInOrder(taps);
    expect((await site.status()).faults).toEqual([]);
  });
});
