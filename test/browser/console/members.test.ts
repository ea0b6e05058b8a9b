import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { createTestDevice, createTestSite } from '../../support/bridge/site-fixtures.ts';
import { addGuests, germanPhone, type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { desktop, phone } from '../../support/browser/test-browser.ts';

/** In another time zone than the hotel. */
const addIslandDoor = async ({ bridge, client }: Hotel): Promise<string> => {
  const site_id = await createTestSite(bridge, client, { name: 'Island', timezone: 'Atlantic/Azores' });
  return (await createTestDevice(bridge, client, { site_id })).gadgetId;
};

const newMember = async ({ owner }: Hotel, name: string, doors: readonly string[]): Promise<string> => {
  const permissions = doors.map(gadget_id => ({ gadget_id }));
  const group = await owner.callOk('POST', '/member_groups', { name: `Group of ${name}`, permissions });
  const { id } = await owner.callOk('POST', '/members', { name, ends_at: '2036-07-05T09:00:00Z' });
  await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
  return id;
};

describe('members', () => {
  testWalk('lists and filters members', async (hotel, options) => {
    await addGuests(hotel);
    const page = await hotel.open('/members', options);
    await page.getByRole('link', { name: /Ann Example/ }).waitFor();
    await page.getByRole('radio', { name: /Upcoming|Künftig/ }).check();
    await page.getByRole('link', { name: /Ben Early/ }).waitFor();
    await page.getByRole('link', { name: /Ann Example/ }).waitFor({ state: 'detached' });
  });

  testWalk('creates a stay with a PIN that works for the chosen door', async (hotel, options) => {
    const page = await hotel.open('/members/new', options);
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
    await page.getByText(/^Room 102 \((Open|Öffnen)\), /).waitFor();
    await checkScreen(page, 'admin-member');
  });

  test('explains step by step why a member can open a door or not', async ({ hotel }) => {
    await addGuests(hotel);
    const { body } = await hotel.owner.get('/members');
    const ben = body.data.find(({ name }) => name === 'Ben Early')!;
    const page = await hotel.open(`/members/${ben.id}`, phone);
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

  test('hides what the role does not allow', async ({ hotel }) => {
    await addGuests(hotel);
    const viewer = await hotel.newUser('viewer');
    const page = await hotel.open('/members', desktop, viewer);
    await page.getByRole('link', { name: /Ann Example/ }).click();
    await page.getByRole('heading', { name: 'Ann Example' }).waitFor();
    await page.getByRole('button', { name: /Delete|Add|Change|End access/ }).waitFor({ state: 'detached' });
    await page.goto(`${hotel.address}${hotel.pathOf('/members/new')}`);
    await page.getByLabel('Name').waitFor({ state: 'detached' });
  });

  test('shows times in the zone of the doors of the member, and names it', { tags: ['slow'] }, async ({ hotel }) => {
    const [islandDoor, madridDoor] = [await addIslandDoor(hotel), hotel.doorId('Front door')];
    const island = await newMember(hotel, 'Ines Island', [islandDoor]);
    await newMember(hotel, 'Max Madrid', [madridDoor]);
    const both = await newMember(hotel, 'Bo Both', [islandDoor, madridDoor]);
    const list = await hotel.open('/members');
    const row = (name: string) => list.locator('.member-row', { hasText: name });
    await row('Ines Island').getByText('09:00 (Atlantic/Azores)').waitFor();
    await row('Max Madrid').getByText('11:00 (Europe/Madrid)').waitFor();
    // The default is the zone of the oldest site.
    await row('Bo Both').getByText('11:00 (Europe/Madrid)').waitFor();
    const page = await hotel.open(`/members/${island}`);
    await page.locator('.timeline').getByText('Atlantic/Azores').waitFor();
    await page.locator('[aria-labelledby=member-access]').getByText('Atlantic/Azores').waitFor();
    const ambiguous = await hotel.open(`/members/${both}`);
    await ambiguous.locator('[aria-labelledby=member-access]').getByText('Europe/Madrid').waitFor();
    await ambiguous.locator('.timeline').getByText('Europe/Madrid').waitFor();
  });

  test('names the zone of the times of the activity', async ({ hotel }) => {
    const [islandDoor, madridDoor] = [await addIslandDoor(hotel), hotel.doorId('Front door')];
    const member = await newMember(hotel, 'Zoe Zones', [islandDoor, madridDoor]);
    const use = (door: string) =>
      hotel.client.callOk('POST', `/gadgets/${door}/actions/open/execute_as_member`, { member_id: member });
    await use(islandDoor);
    const page = await hotel.open(`/members/${member}`);
    const activity = page.locator('[aria-labelledby=recent-events]');
    await activity.getByText('Times are those of the site (Atlantic/Azores)').waitFor();
    await use(madridDoor);
    await activity.getByText('Times are those of each site').waitFor();
  });

  test('exports the personal data as a file', async ({ hotel }) => {
    const { id } = await hotel.owner.callOk('POST', '/members', { name: 'Nora Export' });
    const page = await hotel.open(`/members/${id}`, desktop);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export personal data' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`personal-data-${id}.json`);
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({ member: { id, name: 'Nora Export' } });
  });

  test('erases the personal data after the name is typed', { tags: ['slow'] }, async ({ hotel }) => {
    const { id } = await hotel.owner.callOk('POST', '/members', { name: 'Emil Erased' });
    const page = await hotel.open(`/members/${id}`, germanPhone);
    await page.getByRole('button', { name: 'Daten endgültig löschen' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Daten endgültig löschen' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('„Emil Erased“').fill('Emil');
    expect(await confirm.isDisabled()).toBe(true);
    await checkScreen(page, 'member-erase');
    await dialog.getByLabel('„Emil Erased“').fill('Emil Erased');
    await confirm.click();
    await page.getByText('Die personenbezogenen Daten sind gelöscht').waitFor();
    expect(JSON.stringify((await hotel.owner.get(`/members/${id}`)).body)).not.toContain('Emil');
  });

  test('hides both from roles without the permission', async ({ hotel }) => {
    const { id } = await hotel.owner.callOk('POST', '/members', { name: 'Vic Viewed' });
    const viewer = await hotel.newUser('viewer');
    const page = await hotel.open(`/members/${id}`, desktop, viewer);
    await page.getByRole('heading', { name: 'Vic Viewed', level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /personal data/ }).count()).toBe(0);
  });
});
