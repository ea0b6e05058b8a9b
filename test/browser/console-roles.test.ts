import type { AdminPermission } from '@lintel/wire-protocol/admin/permission';
import { roles } from '@lintel/wire-protocol/admin/role';
import { describe, expect, it } from 'vitest';
import { roleAllows } from '../../cloud-bridge/src/accounts/role-permissions.ts';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { useConsole } from '../support/browser/console-fixture.ts';
import { consoleRoutes, knownScreens, useScreenObjects } from '../support/browser/console-screens.ts';
import { desktop } from '../support/browser/test-browser.ts';

/** What each screen loads first, by its path. Absent: forms, and screens that are open to every role. */
const apiPaths: Readonly<Record<string, string>> = {
  '/members': '/members',
  '/members/:member_id': '/members/{member}',
  '/groups': '/member_groups',
  '/groups/:group_id': '/member_groups/{group}',
  '/schedules': '/schedules',
  '/schedules/:schedule_id': '/schedules/{schedule}',
  '/cards': '/cards',
  '/doors': '/gadgets',
  '/doors/:gadget_id': '/gadgets/{gadget}',
  '/devices/:device_id': '/devices/{device}',
  '/activity': '/events',
  '/alerts': '/alert_rules',
  '/people': '/users',
  '/people/audit': '/users',
  '/developers': '/applications',
  '/developers/applications/:application_id': '/applications/{application}',
  '/developers/applications/:application_id/webhooks/:webhook_id': '/applications/{application}/webhooks/{webhook}',
  '/developers/webhooks': '/applications',
  '/developers/tokens': '/tokens',
  '/developers/authorizations': '/authorizations',
  '/developers/stream': '/applications',
  '/updates': '/releases',
  '/settings': '/installation',
};

describe('screens by role', { tags: ['slow'] }, () => {
  const hotel = useConsole();
  const fill = useScreenObjects(hotel);

  it.each(roles)('%s sees the permitted screens, and “No permission” at all others', async role => {
    const { data: sites } = await hotel.owner.callOk('GET', '/sites');
    const siteIds = role === 'technician' ? [sites[0]!.id] : [];
    const user = await openAdminSession(hotel.bridge, hotel.owner.organizationId, role, siteIds);
    const page = await hotel.open('', desktop, user);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const shown = await page
      .getByRole('navigation', { name: 'Main navigation' })
      .first()
      .getByRole('link')
      .evaluateAll(links => links.map(link => link.getAttribute('href')));
    const allows = (permission: AdminPermission | null): boolean => permission === null || roleAllows(role, permission);
    const expected = consoleRoutes
      .filter(({ isInNavigation, permission }) => isInNavigation && allows(permission))
      .map(({ path }) => hotel.pathOf(path));
    expect(shown).toEqual(expected);

    const found: Record<string, [screen: string, api: number | null]> = {};
    const wanted: typeof found = {};
    for (const { path, permission } of knownScreens) {
      await page.goto(`${hotel.address}${hotel.pathOf(fill(path))}`);
      const refusal = page.getByText('No permission', { exact: true });
      const heading = page.getByRole('heading', { level: 1 });
      await refusal.or(heading).first().waitFor();
      const apiPath = apiPaths[path];
      const api = apiPath === undefined ? null : (await user.get(fill(apiPath))).status;
      found[path] = [(await refusal.isVisible()) ? 'No permission' : 'screen', api];
      wanted[path] = allows(permission)
        ? ['screen', apiPath === undefined ? null : 200]
        : ['No permission', apiPath === undefined ? null : 403];
    }
    expect(found).toEqual(wanted);
  });
});
