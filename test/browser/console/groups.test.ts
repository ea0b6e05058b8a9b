import { describe, expect } from 'vitest';
import { type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { phone } from '../../support/browser/test-browser.ts';

const officeHours = Array.from({ length: 7 }, (_, day) => ({
  ranges: day < 5 ? [{ start: 8 * 3600, end: 18 * 3600 }] : [],
}));

/** The group of two of three members, with three rules, and a schedule. Returns the id of the group. */
const addStaff = async (hotel: Hotel): Promise<string> => {
  const { owner } = hotel;
  await owner.callOk('POST', '/schedules', { name: 'Day', weekdays: officeHours });
  const permissions = [
    { gadget_id: hotel.doorId('Front door') },
    { gadget_id: hotel.doorId('Garage') },
    { gadget_id: hotel.doorId('Room 101'), access_methods: { pin: true, card: true } },
  ];
  const { id } = await owner.callOk('POST', '/member_groups', { name: 'Staff', permissions });
  for (const name of ['Ann Example', 'Ben Early']) {
    const member = await owner.callOk('POST', '/members', { name });
    await owner.callOk('POST', `/members/${member.id}/group_associations`, { member_group_id: id });
  }
  await owner.callOk('POST', '/members', { name: 'Carla New' });
  return id;
};

describe('groups', () => {
  testWalk('creates a group with a rule and a member, and deletes it', async (hotel, options) => {
    await addStaff(hotel);
    const page = await hotel.open('/groups', options);
    await page.getByRole('link', { name: /Staff.*2 (members|Mitglieder)/ }).waitFor();
    const name = 'Cleaning';
    await page.getByRole('button', { name: /New group|Neue Gruppe/ }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: /Save|Speichern/ }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText(/Members cannot open any door|Mitglieder können keine Tür öffnen/).waitFor();

    await page.getByRole('button', { name: /Add rule|Regel hinzufügen/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Room 101').check();
    await dialog.getByLabel('Room 102').check();
    await dialog.getByLabel(/^With$|^Womit$/).selectOption('some');
    await dialog.getByLabel(/^When$|^Wann$/).selectOption({ label: 'Day' });
    await dialog
      .getByText(
        /Members may use Room 101 and Room 102, with PIN or card, during Day\.|Mitglieder dürfen Room 101 und Room 102 benutzen, mit PIN oder Karte, während Day\./,
      )
      .waitFor();
    await dialog
      .getByText(/Room 102.*(during|während) Day/)
      .last()
      .waitFor();
    await checkScreen(page, 'group-rule');
    await dialog.getByRole('button', { name: /Save rule|Regel speichern/ }).click();
    await page.getByText(/Rules 1 to 2|Regeln 1 bis 2/).waitFor();

    await page.getByRole('button', { name: /Add member|Mitglied hinzufügen/ }).click();
    await dialog.getByLabel(/^Member$|^Mitglied$/).fill('carla');
    await dialog.getByRole('button', { name: 'Carla New' }).click();
    await dialog.getByLabel(/^Until$|^Bis$/).fill('2036-07-02T12:00');
    await dialog.getByRole('button', { name: /Save|Speichern/ }).click();
    await page.getByRole('link', { name: 'Carla New' }).waitFor();
    await page.getByText(/2036/).first().waitFor();
    await checkScreen(page, 'group');

    await page.getByRole('button', { name: /Remove Carla New|Carla New aus/ }).click();
    await dialog.getByRole('button', { name: /^(Remove|Entfernen)$/ }).click();
    await page.getByRole('link', { name: 'Carla New' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^(Delete|Löschen)$/ }).click();
    await dialog.getByRole('button', { name: /^(Delete|Löschen)$/ }).click();
    await page.getByText(/^(Deleted|Gelöscht)$/).waitFor();
    await page.getByRole('link', { name: /← (Groups|Gruppen)/ }).click();
    await page.getByRole('link', { name: /Staff/ }).waitFor();
    await page.getByText(/^(1 deleted group|1 gelöschte Gruppe)$/).click();
    await page.locator('details').getByRole('link', { name }).waitFor();
    expect(await page.getByRole('link', { name }).count()).toBe(1);
  });

  test('links from the check of access to the rule that decides', async ({ hotel }) => {
    await addStaff(hotel);
    const { body } = await hotel.owner.get('/members');
    const ann = body.data.find(({ name }) => name === 'Ann Example')!;
    const page = await hotel.open(`/members/${ann.id}`);
    await page.getByRole('button', { name: 'Check access' }).click();
    expect(await page.getByLabel('Door', { exact: true }).inputValue()).toBe('');
    expect(await page.getByRole('button', { name: 'Check', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Door', { exact: true }).selectOption({ label: 'Room 101' });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('link', { name: 'Rule 3 of Staff allows it.' }).click();
    await page.locator('.rule-item[aria-current]', { hasText: 'Room 101' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#rule-3');
  });

  test('refuses to overwrite rules that another user saved', async ({ hotel }) => {
    const { id } = await hotel.owner.callOk('POST', '/member_groups', { name: 'Shared', permissions: [{}] });
    const page = await hotel.open(`/groups/${id}`);
    await page.getByRole('button', { name: 'Delete: Rule 1' }).click();
    await hotel.owner.callOk('PATCH', `/member_groups/${id}`, { permissions: [{ presence: 'gps' }] });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Another user has changed this').waitFor();
  });

  test('keeps both rules if two users edit a group at the same time', { tags: ['slow'] }, async ({ hotel }) => {
    const { id } = await hotel.owner.callOk('POST', '/member_groups', { name: 'Two users', permissions: [] });
    const [first, second] = [await hotel.open(`/groups/${id}`), await hotel.open(`/groups/${id}`)];
    for (const [page, room] of [[first, 'Room 101'] as const, [second, 'Room 102'] as const]) {
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('dialog').getByLabel(room).check();
    }
    const save = (page: typeof first) => page.getByRole('dialog').getByRole('button', { name: 'Save rule' }).click();
    await save(first);
    await first.getByRole('dialog').waitFor({ state: 'detached' });
    await save(second);
    await second.getByText('Another user has changed this').waitFor();
    await second.getByText('To keep your values, save again.').waitFor();
    await save(second);
    await second.getByRole('dialog').waitFor({ state: 'detached' });
    const { permissions } = (await hotel.owner.get(`/member_groups/${id}`)).body as { permissions?: unknown };
    expect(permissions).toHaveLength(2);
  });

  test('shows the new name to a user who renames a group at the same time, and lets the user overwrite it', async ({
    hotel,
  }) => {
    const { id } = await hotel.owner.callOk('POST', '/member_groups', { name: 'Before', permissions: [] });
    const page = await hotel.open(`/groups/${id}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Mine');
    await hotel.owner.callOk('PATCH', `/member_groups/${id}`, { name: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Theirs').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Mine');
    expect((await hotel.owner.get(`/member_groups/${id}`)).body['name']).toBe('Theirs');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
  });

  test('repeats an edit that another edit of the same moment overtook', async ({ hotel }) => {
    const { id } = await hotel.owner.callOk('POST', '/member_groups', { name: 'Overtaken', permissions: [] });
    const page = await hotel.open(`/groups/${id}`);
    let overtaking = 1;
    await page.route(`**/member_groups/${id}`, async route => {
      if (route.request().method() === 'PATCH' && overtaking-- > 0)
        await hotel.owner.callOk('PATCH', `/member_groups/${id}`, { metadata: { source: 'pms' } });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Renamed');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
    expect((await hotel.owner.get(`/member_groups/${id}`)).body).toMatchObject({ metadata: { source: 'pms' } });
    expect(overtaking).toBeLessThan(0);
  });

  test('shows rules to a role that may not change them', async ({ hotel }) => {
    const staffId = await addStaff(hotel);
    const viewer = await hotel.newUser('viewer');
    const page = await hotel.open(`/groups/${staffId}`, phone, viewer);
    await page.getByText('Members may use Front door and Garage').waitFor();
    expect(await page.getByRole('button', { name: /Add|Edit|Delete|Rename|Remove/ }).count()).toBe(0);
  });

  test('looks as in the documentation', { tags: ['slow'] }, async ({ hotel }) => {
    const staffId = await addStaff(hotel);
    const page = await hotel.open(`/groups/${staffId}`);
    await page.getByRole('link', { name: 'Ann Example' }).waitFor();
    await savePicture(page, 'console-group-desktop');
    const editor = await hotel.open(`/groups/${staffId}`, { ...phone, colorScheme: 'dark' });
    await editor.getByRole('button', { name: 'Edit rule: Rule 3' }).click();
    await editor.getByLabel('When', { exact: true }).selectOption({ label: 'Day' });
    await editor.getByText('Ben Early, Ann Example').waitFor();
    await editor
      .getByText(/No longer:/)
      .last()
      .scrollIntoViewIfNeeded();
    await savePicture(editor, 'console-group-rule-phone-dark');
  });
});
