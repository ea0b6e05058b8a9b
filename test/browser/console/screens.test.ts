import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Role, roles } from '@lintel/wire-protocol/admin/role';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { germanPhone, type Hotel, test } from '../../support/browser/console.ts';
import { checkScreen, expectToFit, keepScreenshot, textProblemsIn } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { consoleRoutes, createScreenNavigation, createScreenObjects } from '../../support/browser/screens.ts';
import { desktop, phone } from '../../support/browser/test-browser.ts';

const docs = join(import.meta.dirname, '../../../docs');

interface Screen {
  /** The screen shows it when it is complete. */
  readonly text: string | RegExp;
  readonly roles: readonly Role[];
  /** What the screen loads first; null for forms and other screens whose data every role may read. */
  readonly api: string | null;
  /** In `docs/images`. */
  readonly picture: string;
  /** The page of the documentation that shows the picture. */
  readonly page?: string;
}

const everyone: readonly Role[] = roles;
const offices: readonly Role[] = ['owner', 'administrator', 'front_desk', 'viewer'];
const reviewers: readonly Role[] = ['owner', 'administrator', 'viewer'];
const installers: readonly Role[] = ['owner', 'administrator', 'technician'];
const managers: readonly Role[] = ['owner', 'administrator'];

/** Every screen. The roles are the same as in the table in `docs/administrator/console.md`. */
const screens: Readonly<Record<string, Screen>> = {
  '': { text: 'Front door', roles: everyone, api: '/gadgets', picture: 'console-home-desktop' },
  '/members': { text: 'Ann Example', roles: offices, api: '/members', picture: 'console-members-bulk-desktop' },
  '/members/new': {
    text: 'Cleaning',
    roles: ['owner', 'administrator', 'front_desk'],
    api: null,
    picture: 'console-new-stay-phone',
  },
  '/members/:member_id': {
    text: 'Ann Example',
    roles: offices,
    api: '/members/{member}',
    picture: 'console-member-desktop',
  },
  '/groups': { text: 'Cleaning', roles: offices, api: '/member_groups', picture: 'console-groups-desktop' },
  '/groups/:group_id': {
    text: 'Staff',
    roles: offices,
    api: '/member_groups/{group}',
    picture: 'console-group-desktop',
  },
  '/schedules': { text: 'Working hours', roles: offices, api: '/schedules', picture: 'console-schedules-desktop' },
  '/schedules/:schedule_id': {
    text: 'Working hours',
    roles: offices,
    api: '/schedules/{schedule}',
    picture: 'console-schedule-desktop',
  },
  '/cards': { text: 'LNT-1', roles: offices, api: '/cards', picture: 'console-cards-desktop' },
  '/doors': { text: 'Front door', roles: everyone, api: '/gadgets', picture: 'console-doors-phone' },
  '/doors/:gadget_id': {
    text: 'Front door',
    roles: everyone,
    api: '/gadgets/{gadget}',
    picture: 'console-door-desktop',
  },
  '/devices/new': {
    text: /Show the claim code|Übernahmecode anzeigen|Mostrar el código/,
    roles: installers,
    api: null,
    picture: 'console-claim-phone',
  },
  '/devices/:device_id': {
    text: 'First floor',
    roles: everyone,
    api: '/devices/{device}',
    picture: 'console-device-desktop',
  },
  '/activity': { text: /Olivia .*Cleaning/, roles: offices, api: '/events', picture: 'console-activity-desktop-dark' },
  '/alerts': { text: 'Forced', roles: reviewers, api: '/alert_rules', picture: 'console-alerts-desktop' },
  '/people': { text: 'Olivia', roles: reviewers, api: '/users', picture: 'console-people-desktop' },
  '/people/audit': { text: /Olivia .*Cleaning/, roles: reviewers, api: '/users', picture: 'console-audit-desktop' },
  '/developers': {
    text: 'Booking system',
    roles: reviewers,
    api: '/applications',
    picture: 'console-applications-desktop',
  },
  '/developers/applications/:application_id': {
    text: 'Booking system',
    roles: reviewers,
    api: '/applications/{application}',
    picture: 'console-application-desktop',
    page: 'integrator/oauth.md',
  },
  '/developers/applications/:application_id/webhooks/:webhook_id': {
    text: 'https://pms.example.com/hook',
    roles: reviewers,
    api: '/applications/{application}/webhooks/{webhook}',
    picture: 'console-webhook-desktop',
  },
  '/developers/webhooks': {
    text: 'https://pms.example.com/hook',
    roles: reviewers,
    api: '/applications',
    picture: 'console-webhooks-desktop',
    page: 'integrator/webhooks.md',
  },
  '/developers/tokens': {
    text: 'Nightly report',
    roles: reviewers,
    api: '/tokens',
    picture: 'console-tokens-desktop',
    page: 'integrator/first-integration.md',
  },
  '/developers/authorizations': {
    text: 'Booking system',
    roles: reviewers,
    api: '/authorizations',
    picture: 'console-authorizations-desktop',
    page: 'integrator/oauth.md',
  },
  '/developers/stream': {
    text: /Live|En directo/,
    roles: reviewers,
    api: '/applications',
    picture: 'console-stream-desktop',
    page: 'integrator/streaming.md',
  },
  '/developers/reference': {
    text: /TypeScript/,
    roles: reviewers,
    api: null,
    picture: 'console-reference-desktop',
    page: 'integrator/first-integration.md',
  },
  '/updates': { text: /1\.2\.0/, roles: reviewers, api: '/releases', picture: 'console-updates-desktop' },
  '/updates/:rollout_id': {
    text: 'First floor',
    roles: reviewers,
    api: '/rollouts/{rollout}',
    picture: 'console-rollout-desktop',
    page: 'operator/updates.md',
  },
  '/start': {
    text: 'Front door',
    roles: managers,
    api: null,
    picture: 'first-run-keypad-en',
    page: 'administrator/first-door.md',
  },
  '/settings': { text: 'Europe/Madrid', roles: everyone, api: '/installation', picture: 'console-settings-desktop' },
};

test('every screen of the console has an entry, and a picture in the documentation', () => {
  expect(Object.keys(screens)).toEqual(consoleRoutes.map(({ path }) => path));
  const files = readdirSync(join(docs, 'images'));
  const missing = Object.values(screens).filter(
    ({ picture, page = 'administrator/console.md' }) =>
      !files.includes(`${picture}.png`) ||
      !readFileSync(join(docs, page), 'utf8').includes(`(../images/${picture}.png)`),
  );
  expect(missing).toEqual([]);
});

const screenName = (locale: string, path: string): string => `${locale.slice(0, 2)}${path.replaceAll(/[/:]+/g, '-')}`;

const checkLayout = async (
  hotel: Hotel,
  options: BrowserContextOptions,
  check: (page: Page) => Promise<void>,
): Promise<void> => {
  const fill = await createScreenObjects(hotel);
  const page = await hotel.open('', options);
  const showScreen = createScreenNavigation(page);
  const marked = page.locator(':is(.side-navigation, .bottom-navigation) [aria-current]').locator('visible=true');
  for (const [path, { text }] of Object.entries(screens)) {
    await showScreen(hotel.pathOf(fill(path)));
    await page.locator('#content').getByText(text).locator('visible=true').first().waitFor();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const lang = await page.locator('html').getAttribute('lang');
    const shown = { path, lang, marked: await marked.count() };
    expect(shown).toEqual({ path, lang: options.locale!.slice(0, 2), marked: path === '/start' ? 0 : 1 });
    await keepScreenshot(page, screenName(options.locale!, path));
    await check(page);
  }
};

/** A list that renders only its visible rows clips what is outside. */
const PARTS = '#content > :not(.virtual-list, :has(.virtual-list)), #content .virtual-list > li';

describe('all screens', () => {
  test('show their content, fit at 360 px, are accessible, and are marked in the navigation', ({ hotel }) =>
    checkLayout(hotel, phone, checkScreen));

  test('do so at 1280 px', { tags: ['slow'] }, ({ hotel }) => checkLayout(hotel, desktop, checkScreen));

  // The language does not change how accessible a screen is, but how long its words are.
  test.for([
    ['German', 'at 360 px', germanPhone],
    ['German', 'at 1280 px', { ...desktop, locale: 'de-DE' }],
    ['Spanish', 'at 360 px', { ...phone, locale: 'es-ES' }],
    ['Spanish', 'at 1280 px', { ...desktop, locale: 'es-ES' }],
  ] as const)('fit in %s %s', { tags: ['slow'] }, async ([, , options], { hotel }) => {
    const problems: Record<string, readonly string[]> = {};
    await checkLayout(hotel, options, async page => {
      // First, because the lists measure their rows again after each of the fonts.
      const found = await textProblemsIn(page, PARTS);
      if (found.length > 0) problems[new URL(page.url()).pathname] = found;
      await expectToFit(page);
    });
    expect(problems).toEqual({});
  });
});

const checkScreensOf = async (hotel: Hotel, role: Role): Promise<void> => {
  const fill = await createScreenObjects(hotel);
  const user = await hotel.newUser(role, role === 'technician' ? [hotel.siteId] : []);
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
};

const title = 'sees the permitted screens, and “No permission” at all others';

describe('screens by role', () => {
  test(`technician ${title}`, ({ hotel }) => checkScreensOf(hotel, 'technician'));

  test.for(roles.filter(role => role !== 'technician'))(`%s ${title}`, { tags: ['slow'] }, (role, { hotel }) =>
    checkScreensOf(hotel, role),
  );
});

/** Screens whose own tests make no picture. */
const picturedHere = [
  '/groups',
  '/schedules',
  '/people/audit',
  '/developers',
  '/developers/applications/:application_id',
  '/developers/webhooks',
  '/developers/tokens',
  '/developers/authorizations',
  '/developers/reference',
  '/updates/:rollout_id',
  '/settings',
];

describe('screens without a picture elsewhere look as in the documentation', { tags: ['slow'] }, () => {
  test.for(picturedHere)('%s', async (path, { hotel }) => {
    const fill = await createScreenObjects(hotel);
    const page = await hotel.open(fill(path));
    const { text, picture } = screens[path]!;
    await page.locator('#content').getByText(text).first().waitFor();
    await checkScreen(page);
    await savePicture(page, picture);
  });

  test('/developers/stream', async ({ hotel }) => {
    const page = await hotel.open('/developers/stream');
    await page.getByText('Live', { exact: true }).waitFor();
    await hotel.owner.callOk('POST', '/members', { name: 'Ann Example' });
    await page.getByRole('list', { name: 'Event stream' }).getByText('Member: created').click();
    await page.getByText('"verb": "create"').waitFor();
    await checkScreen(page);
    await savePicture(page, screens['/developers/stream']!.picture);
  });
});
