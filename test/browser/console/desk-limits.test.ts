import { describe, expect } from 'vitest';
import { germanPhone, type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { desktop } from '../../support/browser/test-browser.ts';

const addGroups = async ({ owner, ...hotel }: Pick<Hotel, 'owner'> & { readonly room: string }): Promise<string> => {
  await owner.callOk('POST', '/member_groups', {
    name: 'Room 101',
    permissions: [{ gadget_id: hotel.room, action_id: 'open' }],
  });
  return (await owner.callOk('POST', '/member_groups', { name: 'Management', permissions: [{}] })).id;
};

describe('limits of the front desk', () => {
  test('are named in a new stay', async ({ hotel }) => {
    await addGroups({ owner: hotel.owner, room: hotel.doorId('Room 101') });
    const desk = await hotel.newUser('front_desk');
    for (const options of [desktop, germanPhone]) {
      const page = await hotel.open('/members/new', options, desk);
      await page.getByLabel('Name', { exact: true }).fill('Pepe Himself');
      const reason = /Only an administrator may give this group|Nur ein Administrator darf diese Gruppe vergeben/;
      expect(await page.getByRole('checkbox', { name: /^Management/ }).isDisabled()).toBe(true);
      await page.getByText(reason).waitFor();
      expect(await page.getByRole('checkbox', { name: /^Front door/ }).isDisabled()).toBe(true);
      expect(await page.getByText(/No group opens only this door|Keine Gruppe öffnet nur diese Tür/).count()).toBe(3);
      await page.getByLabel('Room 101').check();
      await page.getByLabel(/^(Until|Bis)$/).fill('');
      await page.getByText(/at most 31 days|höchstens 31 Tage/).waitFor();
      await checkScreen(page, 'desk-new-stay');
    }
  });

  testWalk('are decided on the page of the group and in the settings', async (hotel, options) => {
    const id = await addGroups({ owner: hotel.owner, room: hotel.doorId('Room 101') });
    const page = await hotel.open(`/groups/${id}`, options);
    await page.getByText(/The front desk may not give this group|Die Rezeption darf diese Gruppe nicht/).waitFor();
    await page.getByText(/Default for a group that opens 4 doors|die 4 Türen öffnet/).waitFor();
    await page.getByRole('button', { name: /^(Allow|Erlauben)$/ }).click();
    await checkScreen(page, 'group-desk-allow');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Allow|Erlauben)$/ })
      .click();
    await page.getByText(/An administrator has decided this|Ein Administrator hat das entschieden/).waitFor();
    await page.getByRole('button', { name: /^(Use the default|Vorgabe verwenden)$/ }).click();
    await page.getByText(/Default for a group that opens 4 doors|die 4 Türen öffnet/).waitFor();
    await page.goto(`${hotel.address}${hotel.pathOf('/settings')}`);
    const panel = page.locator('[aria-labelledby=settings-desk]');
    await panel.getByLabel(/Longest stay in days|Längster Aufenthalt in Tagen/).fill('14');
    await panel.getByRole('button', { name: /^(Save|Speichern)$/ }).click();
    await page.getByText(/^(Saved|Gespeichert)$/).waitFor();
    await checkScreen(page, 'settings-desk');
    expect((await hotel.owner.callOk('GET', '/desk_limits'))['longest_stay_days']).toBe(14);
  });
});
