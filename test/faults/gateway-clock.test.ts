import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { FaultySite } from './support/faulty-site.ts';

const YEAR_MS = 365 * 86_400_000;

let site: FaultySite;
afterEach(() => site.close());

const withFloor = (floor: number) => (dataDir: string) => {
  mkdirSync(join(dataDir, 'gateway'), { recursive: true });
  writeFileSync(join(dataDir, 'gateway', 'time-floor.json'), JSON.stringify(floor));
  return dataDir;
};

const opensAndTells = async (): Promise<void> => {
  await site.newDoors(2);
  for (let tap = 0; tap < 10; tap++) site.tapAll();
  await site.allReported();
  await site.expectAllOnceInOrder(10);
  const { clock } = await site.status();
  expect(clock).toMatchObject({ trusted: true, source: 'bridge' });
  expect(Math.abs(Date.parse(clock.time) - Date.now())).toBeLessThan(60_000);
};

for (const [name, floor] of [
  ['two years ahead', Date.now() + 2 * YEAR_MS],
  ['in 1970', 0],
  ['no number', Number.NaN],
] as const) {
  it(`kept time that is ${name} is set right by the bridge's signed word`, async () => {
    site = await FaultySite.open(withFloor(floor));
    await site.startProcess();
    await opensAndTells();
  });
}

for (const [name, system] of [
  ['in 1970', () => 0],
  ['ten years ahead', () => Date.now() + 10 * YEAR_MS],
] as const) {
  it(`an operating system whose clock is ${name} neither keeps controllers out nor loses a thing`, async () => {
    site = await FaultySite.open();
    await site.startHere({ system });
    await opensAndTells();
  });
}

it('a clock that jumps while the gateway runs moves nothing', async () => {
  let offset = 0;
  site = await FaultySite.open();
  await site.startHere({ system: () => Date.now() + offset });
  await site.newDoors(2);
  let taps = 0;
  for (offset of [3 * YEAR_MS, -3 * YEAR_MS, 0]) {
    site.uplink.reset();
    for (let tap = 0; tap < 5; tap++, taps++) site.tapAll();
    await site.allReported();
  }
  await site.expectAllOnceInOrder(taps);
});
