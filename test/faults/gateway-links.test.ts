import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FaultLine } from '../support/faults/fault-line.ts';
import { FaultySite } from '../support/faults/faulty-site.ts';
import { seededHere } from '../support/faults/seeded.ts';

const DOORS = 3;
/** A line is known to be dead within seconds, as it would be within a minute in the field. */
const attentive = { connectionLimits: { firstRetryMs: 20, longestRetryMs: 100, keepaliveS: 2 } };

let site: FaultySite;
beforeEach(async () => {
  site = await FaultySite.open();
  await site.startHere(attentive);
  await site.newDoors(DOORS);
});
afterEach(() => site.close());

const lines: Record<string, () => FaultLine> = {
  'the line to the bridge': () => site.uplink,
  'the lines of the controllers': () => site.lan,
};

/** Doors open until the line has been through it; answers how often each. */
const tappedUntil = async (isOver: () => boolean): Promise<number> => {
  let taps = 0;
  while (!isOver()) {
    if (!site.isFarBehind) {
      site.tapAll();
      taps++;
    }
    for (let pause = 0; pause < 20; pause++) await turn();
  }
  return taps;
};

for (const [name, lineOf] of Object.entries(lines)) {
  it(`${name} may break again and again, in the middle of whatever is said`, async () => {
    const random = seededHere();
    const line = lineOf();
    const flaps = 12;
    let broken = 0;
    const breaking = (async () => {
      for (; broken < flaps; broken++) await line.resetAfter(200 + random.below(20_000));
    })();
    const taps = await tappedUntil(() => broken === flaps);
    await breaking;
    await site.allReported();
    await site.expectAllOnceInOrder(taps);
    expect(line.connections).toBeGreaterThanOrEqual(flaps);
  });

  it(`${name} may be cut for as long as it likes`, async () => {
    lineOf().cut();
    for (let tap = 0; tap < 50; tap++) site.tapAll();
    lineOf().restore();
    await site.allReported();
    await site.expectAllOnceInOrder(50);
  });
}

it('a slow line takes its time, and nothing is lost or overtaken', async () => {
  site.uplink.slowness = { latency_ms: 20, bytesPerSecond: 40_000 };
  for (let tap = 0; tap < 60; tap++) site.tapAll();
  await site.allReported();
  site.uplink.slowness = null;
  await site.expectAllOnceInOrder(60);
});

it('a line to the bridge that is half open is noticed, and what went into it is said again', async () => {
  site.uplink.freeze();
  const before = site.uplink.connections;
  for (let tap = 0; tap < 30; tap++) site.tapAll();
  await site.until(() => site.uplink.connections > before, 'a new connection');
  await site.allReported();
  await site.expectAllOnceInOrder(30);
});
