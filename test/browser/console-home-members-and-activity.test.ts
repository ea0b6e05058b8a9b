import { instant } from '@lintel/access-core/instant';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestDevice, createTestSite, door } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { germanPhone, savePicture, type Walk } from '../support/browser/console-opener-and-docs-screenshots.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';

describe('admin console', () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let address: string;
  let owner: AdminClient;

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true });
    // The clock of the browser is the real one.
    bridge.now = instant(Date.now());
    address = await bridge.listen('127.0.0.1', 0);
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client, { name: 'Hotel Lintel', timezone: 'Europe/Madrid' });
    await createTestDevice(bridge, client, {
      site_id,
      name: 'First floor',
      gadgets: ['Front door', 'Room 101', 'Room 102', 'Garage'].map(name => ({ ...door, name })),
    });
    const group = await client.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{}] });
    const members = [
      { name: 'Ann Example' },
      { name: 'Ben Early', starts_at: '2036-07-01T13:00:00Z', ends_at: '2036-07-05T09:00:00Z' },
      { name: 'Eva Past', starts_at: '2026-05-01T13:00:00Z', ends_at: '2026-05-05T09:00:00Z' },
    ];
    for (const member of members) {
      const { id } = await client.callOk('POST', '/members', member);
      await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
    }
    owner = await openAdminSession(bridge, client.organizationId, 'owner');
    await owner.callOk('PATCH', '', { name: 'Hotel Lintel' });
    await bridge.services.storage.writer
      .updateTable('users')
      .set({ name: 'Olivia' })
      .where('id', '=', owner.userId)
      .execute();
  }, HOOK_TIMEOUT);
  afterAll(() => bridge.close(), HOOK_TIMEOUT);

  const open = async (path: string, options = desktop, user = owner): Promise<Page> => {
    const page = await browser.open({
      ...options,
      onlyOrigin: address,
      session: { cookie: user.headers['cookie']!, url: address },
    });
    await page.goto(`${address}${path}`);
    return page;
  };
  const pathOf = (path: string): string => `/organizations/${owner.organizationId}${path}`;

  const slow = { tags: ['slow'] };

  it('opens the home screen at the root and finds members and doors', async () => {
    const page = await open('/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pathOf(''));
    await page.getByRole('heading', { name: 'Room 101' }).waitFor();
    await page.getByRole('button', { name: 'Open: Garage', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Garage: Open – done').waitFor();
    await page.getByText('Olivia opened Garage remotely').waitFor();
    await page
      .getByText(/Everything is working|needs attention/i)
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('list', { name: 'Busiest doors' }).getByRole('link', { name: 'Garage' }).waitFor();
    await page.locator('.chart canvas').waitFor();
    await checkScreen(page, 'admin-home');
    await page.getByRole('radio', { name: 'Last 7 days' }).check();
    await page.getByRole('list', { name: 'Busiest doors' }).getByText('1 opening and 0 denials').waitFor();
    await page.evaluate(`
      globalThis.isNothingFoundShown = false;
      new MutationObserver(() => {
        globalThis.isNothingFoundShown ||= document.body.textContent.includes('Nothing found');
      }).observe(document.body, { childList: true, subtree: true });
    `);
    await page.keyboard.press('/');
    await page.keyboard.type('room');
    await page.getByRole('option', { name: 'Room 102' }).waitFor();
    await page.getByRole('combobox', { name: 'Search members and doors' }).fill('ann');
    await page.getByRole('option', { name: 'Ann Example' }).waitFor();
    expect(await page.evaluate('isNothingFoundShown')).toBe(false);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ann Example' }).waitFor();
  });

  it('loads less than 150 kB until the home screen is shown, with the texts of one language', async () => {
    const page = await open('/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.locator('.chart canvas').waitFor();
    const files = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
    );
    const assets = files.filter(file => file.startsWith('/assets/'));
    expect(assets.filter(file => /^\/assets\/(?:en|de|es)-/.test(file))).toEqual([expect.stringContaining('/en-')]);
    const headers = { 'accept-encoding': 'gzip' };
    const responses = await Promise.all(assets.map(url => bridge.app.inject({ url, headers })));
    expect(responses.reduce((bytes, { rawPayload }) => bytes + rawPayload.length, 0)).toBeLessThan(150_000);
  });

  const walkMembers: Walk = async options => {
    const page = await open(pathOf('/members'), options);
    await page.getByRole('link', { name: /Ann Example/ }).waitFor();
    await checkScreen(page, 'admin-members');
    await page.getByRole('radio', { name: /Upcoming|Künftig/ }).check();
    await page.getByRole('link', { name: /Ben Early/ }).waitFor();
    await page.getByRole('link', { name: /Ann Example/ }).waitFor({ state: 'detached' });
  };
  it('lists and filters members', () => walkMembers(desktop));
  it('lists and filters members, on a phone in German', slow, () => walkMembers(germanPhone));

  const walkNewStay: Walk = async options => {
    const page = await open(pathOf('/members/new'), options);
    await page.getByLabel('Name').fill('Clara Stay');
    await page.getByLabel('Room 102').check();
    await checkScreen(page, 'admin-new-stay');
    await page.getByRole('button', { name: /Create stay|Aufenthalt anlegen/ }).click();
    await page.getByText(/The stay of Clara Stay is ready|Der Aufenthalt von Clara Stay ist bereit/).waitFor();
    expect(await page.getByRole('status', { name: 'PIN' }).innerText()).toMatch(/^\d{6}$/);
    await checkScreen(page, 'admin-stay-created');
    await page.getByRole('link', { name: /Open member|Mitglied öffnen/ }).click();
    await page.getByRole('heading', { name: 'Clara Stay' }).waitFor();
    await page.getByText(/PIN with 6 digits|PIN mit 6 Ziffern/).waitFor();
    await page.getByText('Room 102').first().waitFor();
    await page.getByText(/^Room 102 \(Open\), /).waitFor();
    await checkScreen(page, 'admin-member');
  };
  it('creates a stay with a PIN that works for the chosen door', () => walkNewStay(desktop));
  it('creates a stay with a PIN that works for the chosen door, on a phone in German', slow, () =>
    walkNewStay(germanPhone),
  );

  const walkActivity: Walk = async options => {
    const page = await open(pathOf('/activity'), options);
    await page
      .getByText(
        /created the group|die Gruppe .* erstellt|created a PIN|eine PIN .* erstellt|created the member|das Mitglied .* erstellt/,
      )
      .first()
      .waitFor();
    const { body } = await owner.get('/gadgets');
    const room = body.data.find(({ name }) => name === 'Room 101')!;
    await owner.callOk('POST', `/gadgets/${room.id}/actions/open`, {});
    await page
      .getByRole('button', { name: /Olivia opened Room 101|Olivia hat Room 101 aus der Ferne geöffnet/ })
      .first()
      .click();
    await page.getByText(/JSON of the API|JSON der API/).click();
    await page.getByText('"gadget_action_id": "open"').waitFor();
    await checkScreen(page, 'admin-event');
    await page.getByRole('button', { name: /Close|Schließen/ }).click();
    await checkScreen(page, 'admin-activity');
    await page.getByRole('combobox', { name: /Kind of event|Art des Ereignisses/ }).selectOption('deny');
    await page.getByText(/No event matches|Kein Ereignis passt/).waitFor();
  };
  it('shows the activity live, as sentences with their JSON', { tags: ['slow'] }, () => walkActivity(desktop));
  it('shows the activity live, as sentences with their JSON, on a phone in German', slow, () =>
    walkActivity(germanPhone),
  );

  it('explains step by step why a member can open a door or not', { tags: ['slow'] }, async () => {
    const { body } = await owner.get('/members');
    const ben = body.data.find(({ name }) => name === 'Ben Early')!;
    const page = await open(pathOf(`/members/${ben.id}`), phone);
    await page.getByRole('button', { name: 'Check access' }).click();
    await page.getByLabel('Door', { exact: true }).selectOption({ label: 'Garage' });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Ben Early cannot open Garage: access has not started yet').waitFor();
    await page.getByText('The member is not valid yet.').waitFor();
    await checkScreen(page, 'admin-why');
    await page.getByLabel('Time', { exact: true }).fill('2036-07-02T12:00');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Ben Early can open Garage').waitFor();
    await page.getByText('Rule 1 of Staff allows it.').waitFor();
  });

  it('hides what the role does not allow', { tags: ['slow'] }, async () => {
    const viewer = await openAdminSession(bridge, owner.organizationId, 'viewer');
    const page = await open(pathOf('/members'), desktop, viewer);
    await page.getByRole('link', { name: /Ann Example/ }).click();
    await page.getByRole('heading', { name: 'Ann Example' }).waitFor();
    await page.getByRole('button', { name: /Delete|Add|Change|End access/ }).waitFor({ state: 'detached' });
    await page.goto(`${address}${pathOf('/members/new')}`);
    await page.getByLabel('Name').waitFor({ state: 'detached' });
  });

  it('looks as in the documentation', slow, async () => {
    const members = (await owner.get('/members')).body.data;
    const door = (await owner.get('/gadgets')).body.data.find(({ name }) => name === 'Front door')!;
    for (const { id } of members)
      await owner.call('POST', `/gadgets/${door.id}/actions/open/execute_as_member`, { member_id: id });
    const ann = members.find(({ name }) => name === 'Ann Example')!;
    await owner.callOk('POST', `/members/${ann.id}/pins`, { length: 6 });
    await owner.callOk('POST', `/members/${ann.id}/magic_links`, {});
    await owner.callOk('PATCH', `/members/${ann.id}`, { ends_at: new Date(Date.now() + 2 * 86_400_000).toISOString() });
    const page = await open('/', desktop);
    await page.getByText('Ann Example opened Front door').first().waitFor();
    await savePicture(page, 'home-desktop');
    await page.goto(`${address}${pathOf(`/members/${ann.id}`)}`);
    await page.getByText('Ann Example opened Front door').first().waitFor();
    await savePicture(page, 'member-desktop');
    const dark = await open(pathOf('/activity'), { ...desktop, colorScheme: 'dark' });
    await dark.getByText('Ann Example opened Front door').first().waitFor();
    await savePicture(dark, 'activity-desktop-dark');
    const stay = await open(pathOf('/members/new'), phone);
    await stay.getByLabel('Name').fill('Clara Stay');
    await savePicture(stay, 'new-stay-phone');
    const darkPhone = await open(pathOf('/members'), { ...phone, colorScheme: 'dark' });
    await darkPhone.getByRole('link', { name: /Ann Example/ }).waitFor();
    await checkScreen(darkPhone);
    await savePicture(darkPhone, 'members-phone-dark');
  });
});
