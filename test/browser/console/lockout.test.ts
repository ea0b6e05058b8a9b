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
});
