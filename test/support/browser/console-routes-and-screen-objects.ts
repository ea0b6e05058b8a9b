import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { beforeAll } from 'vitest';
import type { ConsoleFixture } from './console-fixture.ts';
import { HOOK_TIMEOUT } from './test-browser.ts';

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
const insertRollout = async ({ bridge, owner }: ConsoleFixture): Promise<string> => {
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
  const [device] = (await owner.get('/devices')).body.data;
  const update = { state: 'waiting', percent: null, reason: null, from_version: '1.1.0', running_version: '1.1.0' };
  await storage.writer
    .insertInto('rollout_devices')
    .values({
      rollout_id: id,
      device_id: device!.id,
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

/** Creates an object for each screen that shows one, before the tests of the surrounding `describe`. */
export const useScreenObjects = (hotel: ConsoleFixture): FillPath => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { owner } = hotel;
    ids['member'] = (await owner.callOk('POST', '/members', { name: 'Ann Example' })).id;
    ids['group'] = (await owner.callOk('POST', '/member_groups', { name: 'Staff' })).id;
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }));
    ids['schedule'] = (await owner.callOk('POST', '/schedules', { name: 'Day', weekdays })).id;
    ids['gadget'] = (await owner.get('/gadgets')).body.data[0]!.id;
    ids['device'] = (await owner.get('/devices')).body.data[0]!.id;
    ids['application'] = (await owner.callOk('POST', '/applications', { name: 'Booking system' })).id;
    const webhook = { url: 'https://pms.example.com/hook', filter: [] };
    ids['webhook'] = (await owner.callOk('POST', `/applications/${ids['application']}/webhooks`, webhook)).id;
    ids['rollout'] = await insertRollout(hotel);
  }, HOOK_TIMEOUT);
  return path =>
    path
      .replaceAll(/:(\w+)_id/g, (_, name: string) => ids[name] ?? '')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
};
