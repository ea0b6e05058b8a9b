import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { desktop } from '../../support/browser/test-browser.ts';

/** A group that opens two of the three doors, a member who may use them now and one who was denied. */
const addGuests = async (hotel: Hotel): Promise<void> => {
  const { owner } = hotel;
  const [front, room] = [hotel.doorId('Front door'), hotel.doorId('Room 101')];
  const permissions = [{ gadget_id: front }, { gadget_id: room }];
  const group = await owner.callOk('POST', '/member_groups', { name: 'Room 101', permissions });
  for (const name of ['Ann Example', 'Ben Early']) {
    const starts_at = name === 'Ben Early' ? '2036-07-01T13:00:00Z' : null;
    const { id } = await owner.callOk('POST', '/members', { name, starts_at });
    await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
    await owner.call('POST', `/gadgets/${front}/actions/open/execute_as_member`, { member_id: id });
  }
  await owner.callOk('PUT', `/devices/${hotel.deviceId}/input_rules`, {
    input_rules: [
      { code: '', gadget_id: front, action_id: 'open' },
      { code: '#101', gadget_id: room, action_id: 'open' },
    ],
  });
  await owner.callOk('POST', '/applications', { name: 'Booking system', redirect_uris: [] });
};

const navigate = async (page: Page, name: RegExp): Promise<void> => {
  const more = page.getByRole('button', { name: /^(More|Mehr)$/ });
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (await more.isVisible()) await more.click();
  await page.getByRole('link', { name }).locator('visible=true').last().click();
};

/** What people do most, from the home screen and with what the screen shows. */
describe('frequent tasks', () => {
  test.override({ doors: ['Front door', 'Room 101', 'Garage'] });
  test.beforeEach(({ hotel }) => addGuests(hotel));

  testWalk('adds a stay for a group that says what it opens', { tags: ['slow'] }, async (hotel, options) => {
    const page = await hotel.open('', options);
    await page.getByRole('link', { name: /^(New stay|Neuer Aufenthalt)$/ }).click();
    await page.getByText(/Enter a name\. Choose at least|Geben Sie einen Namen ein\. Wählen Sie mindestens/).waitFor();
    await page.getByLabel('Name').fill('Clara');
    await page.getByLabel(/^(From|Von)$/).fill('2036-07-01T15:00');
    await page.getByLabel(/^(Until|Bis)$/).fill('2036-07-03T11:00');
    await page.getByLabel(/(Opens|Öffnet) Front door, Room 101/).check();
    const singleDoors = page.getByRole('group', { name: /Single doors|Einzelne Türen/ });
    expect(await singleDoors.getByRole('listitem').allInnerTexts()).toEqual(['Front door', 'Garage']);
    await checkScreen(page, 'task-stay');
    await page.getByRole('button', { name: /Create stay|Aufenthalt anlegen/ }).click();
    const pin = await page.getByRole('status', { name: 'PIN' }).innerText();
    expect(pin).toMatch(/^\d{6}$/);
    await page.getByText(/^Room 101, (any time|jederzeit)/).waitFor();
    const entries = page.getByRole('list', { name: /What to type|Eingabe am/ });
    await entries.getByText(new RegExp(`^#101, (then|dann) ${pin}$`)).waitFor();
    expect(await entries.getByRole('listitem').allInnerTexts()).toEqual([
      `Front door: ${pin}`,
      expect.stringContaining('Room 101: #101,'),
    ]);
    await page.getByText(/(Valid from|Gültig ab) 1.*2036/).waitFor();
    await checkScreen(page, 'task-stay-created');
    await page.getByRole('button', { name: /Let in now|Jetzt einlassen/ }).click();
    await page.getByText(/Valid from now|Ab sofort gültig/).waitFor();
  });

  test('gives a single door to open only, shows the form when its lists are loaded, and reuses the group', {
    tags: ['slow'],
  }, async ({ hotel }) => {
    let release = (): void => undefined;
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    const page = await hotel.open('', desktop);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.route('**/installation', async route => {
      await released;
      await route.continue();
    });
    await page.getByRole('link', { name: 'New stay' }).click();
    await page.getByRole('heading', { name: 'New stay', level: 1 }).waitFor();
    await page.getByText('Loading…').waitFor();
    expect(await page.getByLabel('Name').count()).toBe(0);
    release();
    for (const name of ['Dora', 'Emil']) {
      await page.getByLabel('Name').fill(name);
      await page.getByRole('group', { name: 'Single doors' }).getByLabel('Garage').check();
      await page.getByRole('button', { name: 'Create stay' }).click();
      await page.getByText(/^Garage \(Open\), any time/).waitFor();
      await page.getByRole('button', { name: 'New stay' }).click();
    }
    const groups = (await hotel.owner.get('/member_groups')).body.data.filter(({ name }) => name === 'Only Garage');
    expect(groups.map(group => group['permissions'])).toEqual([[expect.objectContaining({ action_id: 'open' })]]);
  });

  testWalk('replaces a lost card', { tags: ['slow'] }, async (hotel, options) => {
    const member = await hotel.owner.callOk('POST', '/members', { name: 'Lotta Lost' });
    const uid = '04a1b2c3';
    await hotel.owner.callOk('POST', `/members/${member.id}/cards`, { uid });
    const page = await hotel.open('', options);
    await page.getByRole('combobox').fill('lotta');
    await checkScreen(page, 'task-search');
    await page.getByRole('option', { name: String(member['name']) }).click();
    await page.getByText(/^(Replace|Ersetzen)$/).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Printed number|Aufgedruckte Nummer/).fill(uid.replace('04', '05'));
    await dialog.getByRole('button', { name: /^(Replace|Ersetzen)$/ }).click();
    await dialog.getByText(/The card is replaced|Die Karte ist ersetzt/).waitFor();
  });

  testWalk('moves a guest to another room with five clicks', async (hotel, options) => {
    const { owner } = hotel;
    const permissions = [{ gadget_id: hotel.doorId('Front door') }, { gadget_id: hotel.doorId('Garage') }];
    const { id: garage } = await owner.callOk('POST', '/member_groups', { name: 'Garage', permissions });
    const page = await hotel.open('', options);
    let clicks = 0;
    const click = async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    };
    const search = page.getByRole('combobox');
    await click(search);
    await search.fill('ann ex');
    await click(page.getByRole('option', { name: 'Ann Example' }));
    await click(page.getByRole('button', { name: /^(Move from Room 101|Von Room 101 in)/ }));
    const dialog = page.getByRole('dialog');
    // Opening the list and the option count as one: it is one movement with the mouse held.
    clicks += 1;
    await dialog.getByLabel(/^(To the group|In die Gruppe)$/).selectOption({ label: 'Garage' });
    await dialog.getByText(/^(Also opens|Öffnet außerdem): Garage$/).waitFor();
    await dialog.getByText(/^(No longer opens|Öffnet nicht mehr): Room 101$/).waitFor();
    await checkScreen(page, 'task-move');
    await click(dialog.getByRole('button', { name: /^(Move|Verlegen)$/ }));
    await page.getByText(/(is moved from Room 101 to Garage|ist von Room 101 nach Garage verlegt)/).waitFor();
    expect(clicks).toBe(5);
    const ann = (await owner.callOk('GET', '/members?search=ann%20ex')).data[0]!;
    const groups = async () =>
      (await owner.callOk('GET', `/members/${ann.id}/group_associations`)).data.map(row => row['member_group_id']);
    expect(await groups()).toEqual([garage]);
    await page.getByRole('button', { name: /^(Undo|Rückgängig)$/ }).click();
    await expect.poll(groups).not.toEqual([garage]);
  });

  testWalk('finds who opened a door', async (hotel, options) => {
    const page = await hotel.open('', options);
    await navigate(page, /^(Activity|Aktivität)$/);
    await page.getByLabel(/Kind of event|Art des Ereignisses/).selectOption('use');
    await page.getByLabel(/^(Door|Tür)$/).selectOption({ label: 'Front door' });
    const period = page.getByLabel(/^(Period|Zeitraum)$/);
    await period.selectOption('week');
    await page.getByRole('button', { name: /^Ann Example/ }).waitFor();
    await period.selectOption('yesterday');
    await page.getByRole('button', { name: /^Ann Example/ }).waitFor({ state: 'detached' });
    await period.selectOption('last_night');
    await page.waitForURL(/T18/);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('from'), searchParams.get('until')]).toEqual([
      expect.stringContaining('T18:00'),
      expect.stringContaining('T08:00'),
    ]);
    await checkScreen(page, 'task-activity');
    await period.selectOption('week');
    await page.getByRole('button', { name: /Filter by person|Nach Person filtern/ }).click();
    await page.getByRole('dialog').getByRole('searchbox').fill('ann');
    await page.getByRole('dialog').getByRole('button', { name: 'Ann Example' }).click();
    await page.getByRole('button', { name: /(Remove filter|Filter entfernen): Person: Ann Example/ }).waitFor();
    await page.getByRole('button', { name: /^Ann Example/ }).waitFor();
  });

  test('keeps the first of two filters that change before the page is drawn again', async ({ hotel }) => {
    const page = await hotel.open('/activity', desktop);
    await page
      .getByLabel('Door', { exact: true })
      .locator('option', { hasText: 'Front door' })
      .waitFor({ state: 'attached' });
    // A string, because the page's policy allows no other script.
    await page.evaluate(`
      for (const [label, index] of [['Kind of event', 1], ['Door', 1]]) {
        const select = document.querySelector('select[aria-label="' + label + '"]');
        select.selectedIndex = index;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      }
    `);
    await expect.poll(() => page.url()).toMatch(/kind=use.*door=|door=.*kind=use/);
  });

  testWalk('explains a denial without further questions', async (hotel, options) => {
    const page = await hotel.open('/activity?kind=deny', options);
    await page.getByRole('button', { name: /Ben Early/ }).click();
    await page.getByRole('button', { name: /Why was this denied|Warum wurde das abgewiesen/ }).click();
    const verdicts = page.locator('.why-verdict');
    await verdicts.filter({ hasText: /(denied access to Ben Early|hat Ben Early) .*\d\d:\d\d/ }).waitFor();
    await page
      .getByText(/Now Ben Early still cannot open Front door|Auch jetzt kann Ben Early Front door nicht öffnen/)
      .waitFor();
    const groups = page.getByRole('link', { name: /groups of Ben Early|Gruppen von Ben Early/ });
    expect(await groups.getAttribute('href')).toMatch(/members\/.*#member-groups$/);
    await checkScreen(page, 'task-denial');
  });

  testWalk('shows who opened a door last and whom it denied', async (hotel, options) => {
    const page = await hotel.open(`/doors/${hotel.doorId('Front door')}`, options);
    await page.getByText(/^(Last: Ann Example opened|Zuletzt: Ann Example hat) Front door/).waitFor();
    await page.getByRole('button', { name: /Check a person|Person prüfen/ }).click();
    const denied = page.getByRole('list', { name: /Recently denied|Vor Kurzem abgewiesen/ });
    await checkScreen(page, 'task-door');
    await denied.getByRole('button', { name: 'Ben Early' }).click();
    await page.getByText(/Ben Early cannot open Front door|Ben Early kann Front door nicht öffnen/).waitFor();
  });

  testWalk('adds a webhook', { tags: ['slow'] }, async (hotel, options) => {
    const page = await hotel.open('', options);
    await navigate(page, /^(Developers|Entwickler)$/);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page
      .getByRole('region', { name: 'Booking system' })
      .getByRole('button', { name: /New webhook|Neuer Webhook/ })
      .click();
    const dialog = page.getByRole('dialog');
    const url = dialog.getByLabel(/Address|Adresse/);
    const create = dialog.getByRole('button', { name: /^(Create|Anlegen)$/ });
    await url.fill('https://https://example.com/hooks');
    await dialog.getByText(/Enter one complete address|Geben Sie eine vollständige Adresse/).waitFor();
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await url.fill('https://example.com/hooks');
    const top = async () => (await dialog.boundingBox())?.y;
    const before = await top();
    await dialog.getByRole('button', { name: /(Remove line|Zeile) 2/ }).click();
    expect(await top()).toBe(before);
    await dialog.getByLabel(/(Object of line|Objekt von Zeile) 1/).selectOption('member');
    const verb = dialog.getByLabel(/(What happened, line|Was geschehen ist, Zeile) 1/);
    expect(await verb.inputValue()).toBe('');
    expect(await verb.getByRole('option').count()).toBe(5);
    await dialog.getByRole('button', { name: /Members and cred|Mitglieder und Zug/ }).click();
    await checkScreen(page, 'task-webhook');
    await create.click();
    await page.getByRole('status', { name: /Signing secret|Signaturgeheimnis/ }).waitFor();
  });
});
