import { insertGrant } from '@lintel/cloud-bridge/testing';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import type { Hotel } from './console.ts';

/** The fields of a route that do not belong to the browser. */
interface ConsoleRoute {
  readonly path: string;
  readonly permission: AdminPermission | null;
  readonly navigation?: object;
}

// The address is not a literal, so that the compiler does not check the screens with the settings of Node.
const routesUrl = new URL('../../../console/src/admin/routes.ts', import.meta.url).href;
const { screenRoutes } = (await import(routesUrl)) as { readonly screenRoutes: readonly ConsoleRoute[] };

export const consoleRoutes = screenRoutes.map(({ path, permission, navigation }) => ({
  path,
  permission,
  isInNavigation: navigation !== undefined,
}));

/** Stored directly, because a release has to be signed. */
const insertRollout = async ({ bridge, owner, deviceId }: Hotel): Promise<string> => {
  const organization_id = owner.organizationId;
  const { storage, newId } = bridge.services;
  const [release_id, id, created_at] = [newId('release'), newId('rollout'), bridge.now];
  const release = { id: release_id, organization_id, program: 'controller', version: '1.2.0', arch: 'all', size: 1 };
  const signature = { sha256: '0'.repeat(64), key_id: 'key', minimum_version: null, allow_downgrade: 0 as const };
  await storage.writer
    .insertInto('releases')
    .values({ ...release, ...signature, made_at: created_at, created_at, is_deleted: 0 })
    .execute();
  const progress = { stages: '[{"devices":1,"wait_s":0}]', stage: 0, stage_passed_at: null, forgiven_failures: 0 };
  const limits = { halt_after_failures: 1, rate: 1, switch_within_s: 60 };
  await storage.writer
    .insertInto('rollouts')
    .values({
      id,
      organization_id,
      release_id,
      state: 'paused',
      reason: null,
      ...progress,
      ...limits,
      created_at,
      finished_at: null,
    })
    .execute();
  const update = { state: 'waiting', percent: null, reason: null, from_version: '1.1.0', running_version: '1.1.0' };
  await storage.writer
    .insertInto('rollout_devices')
    .values({
      rollout_id: id,
      device_id: deviceId!,
      organization_id,
      stage: 0,
      ...update,
      told_at: null,
      updated_at: created_at,
    })
    .execute();
  return id;
};

/** Replaces `:member_id` and `{member}` in a path by the id of an object of the hotel. */
export type FillPath = (path: string) => string;

/** Creates what each screen shows. */
export const createScreenObjects = async (hotel: Hotel): Promise<FillPath> => {
  const { bridge, client, owner } = hotel;
  const create = async (path: string, body: object): Promise<string> => (await owner.callOk('POST', path, body)).id;
  const hours = (start: number, end: number) => ({ ranges: [{ start: start * 3600, end: end * 3600 }] });
  const member = await create('/members', { name: 'Ann Example' });
  await create('/card_stock', { csv: 'printed_code,uid,name\nLNT-1,04a1b2c3d4e501,' });
  const group = await create('/member_groups', { name: 'Staff' });
  for (const { id, name } of (await client.callOk('GET', '/gadgets')).data)
    await create('/member_groups', { name, permissions: [{ gadget_id: id }] });
  const schedule = await create('/schedules', {
    name: 'Working hours',
    weekdays: Array.from({ length: 7 }, (_, day) => (day < 5 ? hours(7, 19) : { ranges: [] })),
  });
  await create('/schedules', { name: 'Breakfast', weekdays: Array.from({ length: 7 }, () => hours(7, 11)) });
  await create('/member_groups', { name: 'Cleaning', permissions: [{ schedule_id: schedule }] });
  const alertWebhook = { url: 'https://pms.example.com/alerts', format: 'json' };
  await create('/alert_rules', { name: 'Forced', kind: 'door_forced', webhook: alertWebhook });
  const application = await create('/applications', { name: 'Booking system' });
  const webhook = await create(`/applications/${application}/webhooks`, {
    url: 'https://pms.example.com/hook',
    filter: [],
  });
  await create('/tokens', { name: 'Nightly report', scope: 'full_read_only' });
  await insertGrant(bridge.services, owner.organizationId, application, owner.userId);
  const rollout = await insertRollout(hotel);
  const door = hotel.doorId('Front door');
  const ids: Readonly<Record<string, string>> = {
    member,
    group,
    schedule,
    application,
    webhook,
    rollout,
    gadget: door,
    device: hotel.deviceId!,
  };
  return path => path.replaceAll(/:(\w+)_id|\{(\w+)\}/g, (_, ...names: string[]) => ids[names[0] ?? names[1]!]!);
};

/** The open requests of a page. Its event stream does not count, because it stays open. */
const trackRequests = (page: Page): ReadonlySet<Request> => {
  const open = new Set<Request>();
  page.on('request', request => request.resourceType() !== 'eventsource' && open.add(request));
  page.on('requestfinished', request => open.delete(request));
  page.on('requestfailed', request => open.delete(request));
  return open;
};

const followLink = (path: string): string => `
  new Promise(shown => {
    history.pushState(null, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'));
    requestAnimationFrame(() => requestAnimationFrame(shown));
  })
`;

/** Opens screens of the console without loading the page again, as its links do. This is much faster. */
export const createScreenNavigation = (page: Page): ((path: string) => Promise<void>) => {
  const open = trackRequests(page);
  return async path => {
    await page.evaluate(followLink(path));
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await expect.poll(() => open.size, { interval: 10 }).toBe(0);
  };
};
