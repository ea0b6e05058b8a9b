import type { RunningTechnician } from '@lintel/device-runtime/technician/start';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signedIn } from '../support/bridge/administration.ts';
import { FarTechnician, servePage } from '../support/technician/far-technician.ts';
import type { FirmwareDoor } from '../support/devices/firmware-hotel.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';

let site: FirmwareSite;
let door: FirmwareDoor;
let page: RunningTechnician;
let far: FarTechnician;
beforeEach(async () => {
  site = await FirmwareSite.open();
  door = await site.door();
  const { world, hotel } = site;
  far = new FarTechnician(await signedIn(world, hotel.client.organizationId, 'owner'), door.deviceId);
  await site.start(door);
  page = await servePage(door);
});
afterEach(async () => {
  await page.stop();
  await site.close();
});

it('works through the site’s gateway, not at all while that has no line, and again when it has', async () => {
  const url = await site.world.bridge.listen('127.0.0.1', 0);
  const live = await far.live(url);
  expect((await far.ask('POST', `/gadgets/${door.gadgetId}/actions/open`, {})).status).toBe(200);
  expect(door.isUnlocked).toBe(true);
  const { body } = await far.ask('GET', '/health');
  expect(body['checks']).toContainEqual(
    expect.objectContaining({ id: 'gateway', state: 'ok', found: expect.stringContaining('gateway') }),
  );
  await expect.poll(() => live.said.some(({ type }) => type === 'output')).toBe(true);
  await site.cut();
  await expect.poll(async () => (await far.ask('GET', '/status')).status, { timeout: 20_000 }).toBe(503);
  await expect.poll(() => live.ended()).toBe(true);
  await site.restore();
  await expect.poll(async () => (await far.ask('GET', '/status')).status, { timeout: 20_000 }).toBe(200);
});
