import type { Role } from '@lintel/wire-protocol/admin/role';
import { roles } from '@lintel/wire-protocol/admin/role';
import { describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { useConsole } from '../support/browser/console-fixture.ts';
import { createScreenNavigation } from '../support/browser/console-screen-navigation.ts';
import { consoleRoutes, useScreenObjects } from '../support/browser/console-routes-and-screen-objects.ts';
import { desktop } from '../support/browser/test-browser.ts';

interface ScreenAccess {
  readonly roles: readonly Role[];
  /** What the screen loads first; null for forms and other screens whose data every role may read. */
  readonly api: string | null;
}

const everyone: readonly Role[] = roles;
const offices: readonly Role[] = ['owner', 'administrator', 'front_desk', 'viewer'];
const reviewers: readonly Role[] = ['owner', 'administrator', 'viewer'];
const installers: readonly Role[] = ['owner', 'administrator', 'technician'];
const managers: readonly Role[] = ['owner', 'administrator'];

/** Every screen, with the roles that may see it. The same as the table in `docs/administrator/console.md`. */
const screens: Readonly<Record<string, ScreenAccess>> = {
  '': { roles: everyone, api: '/gadgets' },
  '/members': { roles: offices, api: '/members' },
  '/members/new': { roles: ['owner', 'administrator', 'front_desk'], api: null },
  '/members/:member_id': { roles: offices, api: '/members/{member}' },
  '/groups': { roles: offices, api: '/member_groups' },
  '/groups/:group_id': { roles: offices, api: '/member_groups/{group}' },
  '/schedules': { roles: offices, api: '/schedules' },
  '/schedules/:schedule_id': { roles: offices, api: '/schedules/{schedule}' },
  '/cards': { roles: offices, api: '/cards' },
  '/doors': { roles: everyone, api: '/gadgets' },
  '/doors/:gadget_id': { roles: everyone, api: '/gadgets/{gadget}' },
  '/devices/new': { roles: installers, api: null },
  '/devices/:device_id': { roles: everyone, api: '/devices/{device}' },
  '/activity': { roles: offices, api: '/events' },
  '/alerts': { roles: reviewers, api: '/alert_rules' },
  '/people': { roles: reviewers, api: '/users' },
  '/people/audit': { roles: reviewers, api: '/users' },
  '/developers': { roles: reviewers, api: '/applications' },
  '/developers/applications/:application_id': { roles: reviewers, api: '/applications/{application}' },
  '/developers/applications/:application_id/webhooks/:webhook_id': {
    roles: reviewers,
    api: '/applications/{application}/webhooks/{webhook}',
  },
  '/developers/webhooks': { roles: reviewers, api: '/applications' },
  '/developers/tokens': { roles: reviewers, api: '/tokens' },
  '/developers/authorizations': { roles: reviewers, api: '/authorizations' },
  '/developers/stream': { roles: reviewers, api: '/applications' },
  '/developers/reference': { roles: reviewers, api: null },
  '/updates': { roles: reviewers, api: '/releases' },
  '/updates/:rollout_id': { roles: reviewers, api: '/rollouts/{rollout}' },
  '/start': { roles: managers, api: null },
  '/settings': { roles: everyone, api: '/installation' },
};

it('has an entry for every screen of the console', () => {
  expect(Object.keys(screens)).toEqual(consoleRoutes.map(({ path }) => path));
});

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
    const expected = consoleRoutes
      .filter(({ path, isInNavigation }) => isInNavigation && screens[path]!.roles.includes(role))
      .map(({ path }) => hotel.pathOf(path));
    expect(shown).toEqual(expected);

    const showScreen = createScreenNavigation(page);
    const found: Record<string, [screen: string, api: number | null]> = {};
    const wanted: typeof found = {};
    for (const [path, { roles: permitted, api }] of Object.entries(screens)) {
      await showScreen(hotel.pathOf(fill(path)));
      const refusal = page.getByText('No permission', { exact: true });
      const heading = page.getByRole('heading', { level: 1 });
      await refusal.or(heading).first().waitFor();
      const status = api === null ? null : (await user.get(fill(api))).status;
      found[path] = [(await refusal.isVisible()) ? 'No permission' : 'screen', status];
      const isPermitted = permitted.includes(role);
      wanted[path] = [isPermitted ? 'screen' : 'No permission', api === null ? null : isPermitted ? 200 : 403];
    }
    expect(found).toEqual(wanted);
  });
});
