import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FaultySite } from '../support/faults/faulty-site.ts';
import { seededHere } from '../support/faults/seeded.ts';

const DOORS = 3;
const KILLS = 8;

let site: FaultySite;
beforeEach(async () => {
  site = await FaultySite.open();
  await site.startProcess();
  await site.newDoors(DOORS);
});
afterEach(() => site.close());

/** The doors open while something goes on. Answers how often each. */
const tappedDuring = async (work: Promise<unknown>): Promise<number> => {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  work.then(over, over);
  let taps = 0;
  while (!isOver) {
    if (!site.isFarBehind) {
      site.tapAll();
      taps++;
    }
    for (let pause = 0; pause < 40; pause++) await turn();
  }
  await work;
  return taps;
};

/** While this or that is on its way through it. */
const killedAfter = async (bytes: number, isInbound: boolean): Promise<void> => {
  await (isInbound ? site.lan : site.uplink).after(bytes);
  await site.gateway.stop('SIGKILL');
};

it('a gateway that is killed at any point, again and again, loses nothing and repeats nothing', async () => {
  const random = seededHere();
  let taps = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    taps += await tappedDuring(killedAfter(500 + random.below(40_000), random.chance(0.5)));
    for (let tap = random.below(20); tap > 0; tap--, taps++) site.tapAll();
    await site.startProcess();
  }
  await site.allReported();
  await site.expectAllOnceInOrder(taps);
  await site.until(async () => (await site.status()).queue.frames === 0, 'an empty store');
  expect((await site.status()).faults).toEqual([]);
});

it('what it kept while the line was cut outlives it, and the controllers that it came from', async () => {
  const random = seededHere();
  site.uplink.cut();
  await site.untilConnected(false);
  const taps = 20 + random.below(80);
  for (let tap = 0; tap < taps; tap++) site.tapAll();
  const happened = site.doors.reduce((sum, { recorded }) => sum + recorded.length, 0);
  await site.until(async () => (await site.status()).queue.events >= happened, 'all of it in the store');
  await site.gateway.stop('SIGKILL');
  for (const door of site.doors) await door.stop();
  site.uplink.restore();
  await site.startProcess();
  await site.until(async () => (await site.status()).queue.frames === 0, 'an empty store');
  await site.expectAllOnceInOrder(taps);
});
