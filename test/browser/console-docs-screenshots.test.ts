import { insertGrant } from '@lintel/cloud-bridge/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useConsole } from '../support/browser/console-fixture.ts';
import { savePicture } from '../support/browser/console-opener-and-docs-screenshots.ts';
import { consoleRoutes, useScreenObjects } from '../support/browser/console-routes-and-screen-objects.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { HOOK_TIMEOUT } from '../support/browser/test-browser.ts';

const docs = join(import.meta.dirname, '../../docs');

/** The picture of each screen in `docs/images`, and the page that shows it. */
const pictures: Readonly<Record<string, readonly [picture: string, page: string]>> = {
  '': ['console-home-desktop', 'administrator/console.md'],
  '/members': ['console-members-bulk-desktop', 'administrator/console.md'],
  '/members/new': ['console-new-stay-phone', 'administrator/console.md'],
  '/members/:member_id': ['console-member-desktop', 'administrator/console.md'],
  '/groups': ['console-groups-desktop', 'administrator/console.md'],
  '/groups/:group_id': ['console-group-desktop', 'administrator/console.md'],
  '/schedules': ['console-schedules-desktop', 'administrator/console.md'],
  '/schedules/:schedule_id': ['console-schedule-desktop', 'administrator/console.md'],
  '/cards': ['console-cards-desktop', 'administrator/console.md'],
  '/doors': ['console-doors-phone', 'administrator/console.md'],
  '/doors/:gadget_id': ['console-door-desktop', 'administrator/console.md'],
  '/devices/new': ['console-claim-phone', 'administrator/console.md'],
  '/devices/:device_id': ['console-device-desktop', 'administrator/console.md'],
  '/activity': ['console-activity-desktop-dark', 'administrator/console.md'],
  '/alerts': ['console-alerts-desktop', 'administrator/console.md'],
  '/people': ['console-people-desktop', 'administrator/console.md'],
  '/people/audit': ['console-audit-desktop', 'administrator/console.md'],
  '/developers': ['console-applications-desktop', 'administrator/console.md'],
  '/developers/applications/:application_id': ['console-application-desktop', 'integrator/oauth.md'],
  '/developers/applications/:application_id/webhooks/:webhook_id': [
    'console-webhook-desktop',
    'administrator/console.md',
  ],
  '/developers/webhooks': ['console-webhooks-desktop', 'integrator/webhooks.md'],
  '/developers/tokens': ['console-tokens-desktop', 'integrator/first-integration.md'],
  '/developers/authorizations': ['console-authorizations-desktop', 'integrator/oauth.md'],
  '/developers/stream': ['console-stream-desktop', 'integrator/streaming.md'],
  '/developers/reference': ['console-reference-desktop', 'integrator/first-integration.md'],
  '/updates': ['console-updates-desktop', 'administrator/console.md'],
  '/updates/:rollout_id': ['console-rollout-desktop', 'operator/updates.md'],
  '/start': ['first-run-keypad-en', 'administrator/first-door.md'],
  '/settings': ['console-settings-desktop', 'administrator/console.md'],
};

describe('pictures of the console in the documentation', () => {
  it('show every screen', () => {
    expect(Object.keys(pictures)).toEqual(consoleRoutes.map(({ path }) => path));
    const files = readdirSync(join(docs, 'images'));
    const missing = Object.values(pictures).filter(
      ([picture, page]) =>
        !files.includes(`${picture}.png`) ||
        !readFileSync(join(docs, page), 'utf8').includes(`(../images/${picture}.png)`),
    );
    expect(missing).toEqual([]);
  });
});

/** Screens whose own tests make no picture, with a text that is shown when they are complete. */
const shown: readonly (readonly [path: string, text: string | RegExp])[] = [
  ['/groups', 'Cleaning'],
  ['/schedules', 'Working hours'],
  ['/people/audit', /Olivia .*Cleaning/],
  ['/developers', 'Booking system'],
  ['/developers/applications/:application_id', 'Booking system'],
  ['/developers/webhooks', 'https://pms.example.com/hook'],
  ['/developers/tokens', 'Nightly report'],
  ['/developers/authorizations', 'Booking system'],
  ['/developers/reference', 'A guest stay from a booking system'],
  ['/updates/:rollout_id', 'First floor'],
  ['/settings', 'Europe/Madrid'],
];

describe('screens without a picture elsewhere', { tags: ['slow'] }, () => {
  const hotel = useConsole();
  const fill = useScreenObjects(hotel);
  const pictureOf = (path: string): string => pictures[path]![0].replace('console-', '');

  beforeAll(async () => {
    const { owner, bridge } = hotel;
    const hours = (start: number, end: number) => ({ ranges: [{ start: start * 3600, end: end * 3600 }] });
    const weekdays = Array.from({ length: 7 }, (_, day) => (day < 5 ? hours(7, 19) : { ranges: [] }));
    const schedule = await owner.callOk('POST', '/schedules', { name: 'Working hours', weekdays });
    const breakfast = Array.from({ length: 7 }, () => hours(7, 11));
    await owner.callOk('POST', '/schedules', { name: 'Breakfast', weekdays: breakfast });
    const gadgets = (await owner.get('/gadgets')).body.data;
    for (const { id, name } of gadgets)
      await owner.callOk('POST', '/member_groups', { name, permissions: [{ gadget_id: id }] });
    const permissions = [{ schedule_id: schedule.id }];
    await owner.callOk('POST', '/member_groups', { name: 'Cleaning', permissions });
    await owner.callOk('POST', '/tokens', { name: 'Nightly report', scope: 'full_read_only' });
    await insertGrant(bridge.services, owner.organizationId, fill('{application}'), owner.userId);
  }, HOOK_TIMEOUT);

  it.each(shown)('%s', async (path, text) => {
    const page = await hotel.open(fill(path));
    await page.locator('#content').getByText(text).first().waitFor();
    await checkScreen(page);
    await savePicture(page, pictureOf(path));
  });

  it('/developers/stream', async () => {
    const page = await hotel.open('/developers/stream');
    await page.getByText('Live', { exact: true }).waitFor();
    await hotel.owner.callOk('POST', '/members', { name: 'Ann Example' });
    await page.getByRole('list', { name: 'Event stream' }).getByText('Member: created').click();
    await page.getByText('"verb": "create"').waitFor();
    await checkScreen(page);
    await savePicture(page, pictureOf('/developers/stream'));
  });
});
