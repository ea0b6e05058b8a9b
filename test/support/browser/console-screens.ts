import { readFileSync } from 'node:fs';
import type { AdminPermission } from '@lintel/wire-protocol/admin/permission';
import { beforeAll } from 'vitest';
import type { ConsoleFixture } from './console-fixture.ts';
import { HOOK_TIMEOUT } from './test-browser.ts';

interface ConsoleRoute {
  readonly path: string;
  readonly permission: AdminPermission | null;
  readonly isInNavigation: boolean;
}

/** Read as text, because the module belongs to the browser. */
const readRoutes = (): ConsoleRoute[] => {
  const text = readFileSync(new URL('../../../console/src/admin/routes.ts', import.meta.url), 'utf8');
  return text
    .split(/\n {2}\{\n/)
    .slice(1)
    .map(entry => ({
      path: /path: '([^']*)'/.exec(entry)![1]!,
      permission: (/permission: '([^']*)'/.exec(entry)?.[1] ?? null) as AdminPermission | null,
      isInNavigation: entry.includes('navigation:'),
    }));
};
export const consoleRoutes: readonly ConsoleRoute[] = readRoutes();

/** The page of a roll-out needs a signed release. */
export const knownScreens: readonly ConsoleRoute[] = consoleRoutes.filter(
  ({ path }) => path !== '/updates/:rollout_id',
);

/** Replaces `:member_id` and `{member}` in a path by the id of an object of the hotel. */
export type FillPath = (path: string) => string;

/** Creates an object for each screen that shows one, before the tests of the surrounding `describe`. */
export const useScreenObjects = (hotel: ConsoleFixture): FillPath => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { owner } = hotel;
    ids['member'] = (await owner.callOk('POST', '/members', { name: 'Ann' })).id;
    ids['group'] = (await owner.callOk('POST', '/member_groups', { name: 'Staff' })).id;
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }));
    ids['schedule'] = (await owner.callOk('POST', '/schedules', { name: 'Day', weekdays })).id;
    ids['gadget'] = (await owner.get('/gadgets')).body.data[0]!.id;
    ids['device'] = (await owner.get('/devices')).body.data[0]!.id;
    ids['application'] = (await owner.callOk('POST', '/applications', { name: 'PMS' })).id;
    const webhook = { url: 'https://pms.example.com/hook', filter: [] };
    ids['webhook'] = (await owner.callOk('POST', `/applications/${ids['application']}/webhooks`, webhook)).id;
  }, HOOK_TIMEOUT);
  return path =>
    path
      .replaceAll(/:(\w+)_id/g, (_, name: string) => ids[name] ?? '')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
};
