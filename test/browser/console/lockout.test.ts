import { describe, expect } from 'vitest';
import { type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';

const addGuest = async ({ owner }: Hotel): Promise<string> => {
  const group = await owner.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{}] });
  const { id } = await owner.callOk('POST', '/members', { name: 'Greta Guest' });
  await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
  await owner.callOk('POST', `/members/${id}/pins`, { length: 6 });
  await owner.callOk('POST', `/members/${id}/magic_links`);
  return id;
};

describe('access that is taken away', () => {
  testWalk('says where the member is locked out, and nothing works any more', async (hotel, options) => {
    const id = await addGuest(hotel);
    const page = await hotel.open(`/members/${id}`, options);
    await page.getByText(/^(Works now|Funktioniert sofort)$/).waitFor();
    await page.getByRole('button', { name: /End access now|Zugang jetzt beenden/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /End access now|Zugang jetzt beenden/ })
      .click();
    const lockedOut = page.getByText(/^(Locked out at 4 of 4 doors|Ausgesperrt an 4 von 4 Türen), /);
    await lockedOut.waitFor();
    await page
      .getByText(/^(Refused everywhere|Überall abgelehnt)$/)
      .nth(1)
      .waitFor();
    await page.getByText(/Access has ended\. No door opens|Der Zugang ist beendet\. Keine Tür öffnet/).waitFor();
    expect(await page.getByText(/Works|Funktioniert|Add a group|Fügen Sie/).count()).toBe(0);
    await checkScreen(page, 'member-locked-out');
    await page.reload();
    await lockedOut.waitFor();
    await page.getByRole('button', { name: /^(Delete|Löschen)$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Delete|Löschen)$/ })
      .click();
    await page
      .getByText(/The member is deleted\. No door opens|Das Mitglied ist gelöscht\. Keine Tür öffnet/)
      .waitFor();
    await lockedOut.waitFor();
  });

  test('says so after a bulk action', { tags: ['slow'] }, async ({ hotel }) => {
    await addGuest(hotel);
    const page = await hotel.open('/members');
    await page.getByLabel('Select Greta Guest').check();
    await page.getByRole('combobox', { name: 'Action' }).selectOption('end');
    await page.getByRole('button', { name: 'Continue…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'End access now' }).click();
    await dialog.getByText(/^Locked out at 4 of 4 doors, /).waitFor();
    await checkScreen(page, 'members-bulk-locked-out');
  });

  testWalk(
    'says so on the page of a group whose rules or schedule lose times, or that is deleted',
    { tags: ['slow'] },
    async (hotel, options) => {
      await addGuest(hotel);
      const { owner } = hotel;
      const [group] = (await owner.callOk('GET', '/member_groups')).data;
      const day = (end: number) => Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: end * 3600 }] }));
      const { id: schedule } = await owner.callOk('POST', '/schedules', { name: 'Day', weekdays: day(18) });
      const page = await hotel.open(`/groups/${group!.id}`, options);
      await page.getByRole('heading', { name: 'Staff', level: 1 }).waitFor();
      await owner.callOk('PATCH', `/member_groups/${group!.id}`, { permissions: [{ schedule_id: schedule }] });
      await page
        .getByText(/^(1 person can open at fewer times|1 Person kann zu weniger Zeiten) .*: Front door, Garage, /)
        .waitFor();
      await page.getByText(/^(In force at 4 of 4 doors|Gilt an 4 von 4 Türen), /).waitFor();
      await checkScreen(page, 'group-reduced');
      await page.goto(`${hotel.address}${hotel.pathOf(`/schedules/${schedule}`)}`);
      await page
        .getByRole('heading', { name: /^(Access taken away from Staff|Zugang der Gruppe Staff entzogen)$/ })
        .waitFor();
      await checkScreen(page, 'schedule-reduced');
      await page.goto(`${hotel.address}${hotel.pathOf(`/groups/${group!.id}`)}`);
      const deletion = page.getByRole('button', { name: /^(Delete|Löschen)$/ });
      await deletion.click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Delete|Löschen)$/ })
        .click();
      await page.getByText(/^(1 person can no longer open|1 Person kann nicht mehr öffnen): Front door, /).waitFor();
      const lockedOut = page.getByText(/^(Locked out at 4 of 4 doors|Ausgesperrt an 4 von 4 Türen), /);
      await lockedOut.waitFor();
      await page.reload();
      await lockedOut.waitFor();
      expect(await page.getByText(/Works|Funktioniert/).count()).toBe(0);
      await checkScreen(page, 'group-locked-out');
    },
  );
});
