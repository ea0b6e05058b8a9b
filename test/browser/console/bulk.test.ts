import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { AdminClient } from '../../support/bridge/admin-client.ts';
import { germanPhone, type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { desktop } from '../../support/browser/test-browser.ts';

const MEMBERS = 60;

/** A group, and the members with these numbers and one more. Returns the id of the group. */
const addMembers = async ({ client }: Hotel, first = 1): Promise<string> => {
  const { id } = await client.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{}] });
  for (let number = first; number <= MEMBERS; number++)
    await client.callOk('POST', '/members', { name: `Person ${String(number).padStart(2, '0')}` });
  await client.callOk('POST', '/members', { name: 'Future Guest', starts_at: '2036-07-01T13:00:00Z' });
  return id;
};

const countIn = async (owner: AdminClient, filter: string): Promise<number> => {
  const { data } = await owner.callOk('GET', `/members?${filter}&limit=100`);
  return data.length;
};

describe('bulk actions for members', () => {
  test.override({ doors: [] });

  testWalk(
    'tags selected members, finds them by the tag and removes it',
    { tags: ['slow'] },
    async (hotel, options) => {
      await addMembers(hotel, MEMBERS - 2);
      const page = await hotel.open('/members', options);
      const action = page.getByRole('combobox', { name: /^(Action|Aktion)$/ });
      const dialog = page.getByRole('dialog');
      await page.getByLabel(/^(Select Person 60|Person 60 auswählen)$/).check();
      await page.getByLabel(/^(Select Person 59|Person 59 auswählen)$/).check();
      await checkScreen(page, 'members-selected');
      await action.selectOption('addTag');
      await page.getByRole('button', { name: /^(Continue…|Weiter…)$/ }).click();
      await dialog.getByRole('combobox', { name: /^(Tag|Schlagwort)$/ }).selectOption('new');
      const tag = 'VIP';
      await dialog.getByRole('textbox', { name: /^(Name of the tag|Schlagwort)$/ }).fill(tag);
      await checkScreen(page, 'members-bulk-tag');
      await dialog.getByRole('button', { name: /^(Add tag|Schlagwort hinzufügen)$/ }).click();
      await dialog.getByText(/2 of 2 changed|2 von 2 geändert/).waitFor();
      await dialog.getByRole('button', { name: /Close|Schließen/ }).click();
      await page.getByRole('combobox', { name: /^(Tag|Schlagwort)$/ }).selectOption({ label: tag });
      await page.getByRole('link', { name: /Person 58/ }).waitFor({ state: 'detached' });
      await page.getByLabel(/^(Select Person 60|Person 60 auswählen)$/).check();
      await page.getByRole('button', { name: /Select all that match|Alle passenden/ }).click();
      await page.getByText(/2 members selected|2 Mitglieder ausgewählt/).waitFor();
      await action.selectOption('removeTag');
      await page.getByRole('button', { name: /^(Continue…|Weiter…)$/ }).click();
      await dialog.getByRole('combobox', { name: /^(Tag|Schlagwort)$/ }).selectOption({ label: tag });
      await dialog.getByRole('button', { name: /^(Remove tag|Schlagwort entfernen)$/ }).click();
      await dialog.getByText(/2 of 2 changed|2 von 2 geändert/).waitFor();
      await dialog.getByRole('button', { name: /Close|Schließen/ }).click();
      await page.getByText(/No member matches|Kein Mitglied passt/).waitFor();
    },
  );

  test('changes all members that match, with the result of each', { tags: ['slow'] }, async ({ hotel }) => {
    const groupId = await addMembers(hotel);
    const page = await hotel.open('/members');
    const dialog = page.getByRole('dialog');
    const run = async (action: string, choose: () => Promise<unknown>, button: string, result: RegExp) => {
      await page.getByLabel('Select Person 60').check();
      await page.getByRole('button', { name: 'Select all that match' }).click();
      await page.getByText(`${MEMBERS + 1} members selected`).waitFor();
      await page.getByRole('combobox', { name: 'Action' }).selectOption(action);
      await page.getByRole('button', { name: 'Continue…' }).click();
      await choose();
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.getByText(result).waitFor();
      await checkScreen(page, `members-bulk-${action}`);
      if (action === 'end') await savePicture(page, 'console-members-bulk-desktop');
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    const chooseStaff = () => dialog.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Staff' });
    await run('addGroup', chooseStaff, 'Add to group', /61 of 61 changed/);
    expect(await countIn(hotel.owner, `member_group_id=${groupId}`)).toBe(MEMBERS + 1);
    await run('addGroup', chooseStaff, 'Add to group', /0 of 61 changed, 61 needed no change, 0 failed/);
    await run('end', () => Promise.resolve(), 'End access now', /60 of 61 changed, 0 needed no change, 1 failed/);
    expect(await countIn(hotel.owner, `ends_at:le=${new Date().toISOString()}`)).toBe(MEMBERS);
  });

  testWalk(
    'imports the good lines of a CSV file with PINs, saves the others, and undoes it',
    async (hotel, options) => {
      const { owner } = hotel;
      await owner.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{}] });
      await owner.callOk('POST', '/members', { name: 'Ann Berg' });
      const page = await hotel.open('/members', options);
      await page.getByRole('button', { name: /Import members|Mitglieder importieren/ }).click();
      const dialog = page.getByRole('dialog');
      const choose = (csv: string) =>
        dialog
          .getByLabel(/CSV/)
          .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'utf8') });
      const template = page.waitForEvent('download');
      await dialog.getByRole('button', { name: /Download a template|Vorlage herunterladen/ }).click();
      await choose(readFileSync(await (await template).path(), 'utf8'));
      await dialog.getByText(/1 member can be imported|1 Mitglied kann importiert werden/).waitFor();
      await choose('Visitor;Until;Group\nGreta;2036-06-01;Attic\n');
      await dialog.getByText(/the name is missing|der Name fehlt/).waitFor();
      await dialog.getByRole('combobox', { name: 'Name' }).selectOption({ label: 'Visitor' });
      await dialog.getByText(/there is no group “Attic”|es gibt keine Gruppe „Attic“/).waitFor();
      await choose(
        'Name;From;Until;Group\nGreta;03/05/2036;04/05/2036;Staff\nBen;2036-06-01;06/06/2036 10:00;\nAnn Berg;;;\nCleo;soon;;\n',
      );
      await dialog.getByText(/2 members can be imported|2 Mitglieder können importiert werden/).waitFor();
      await dialog.getByText(/^(3 April|3\. April)$/).click();
      await checkScreen(page, 'members-import');
      const others = page.waitForEvent('download');
      await dialog.getByRole('button', { name: /Save 2 lines|2 Zeilen mit den Gründen/ }).click();
      const saved = readFileSync(await (await others).path(), 'utf8');
      expect(saved.split('\r\n').map(line => line.split(/[,;]/)[0])).toEqual(['\uFEFF"Name"', '"Ann Berg"', '"Cleo"']);
      await dialog.getByRole('button', { name: /Import 2 members|2 Mitglieder importieren/ }).click();
      await dialog.getByText(/2 members created|2 Mitglieder angelegt/).waitFor();
      await checkScreen(page, 'members-imported');
      const { body } = await owner.get('/members?search=Greta&expand=group_associations,pins');
      // A date alone begins at 15:00 and ends at 11:00 in Madrid.
      expect(body.data).toMatchObject([
        { starts_at: '2036-05-03T13:00:00.000Z', ends_at: '2036-05-04T09:00:00.000Z', pins: [{ length: 6 }] },
      ]);
      const list = page.waitForEvent('download');
      await dialog.getByRole('button', { name: /Save the list|Liste als CSV/ }).click();
      expect(readFileSync(await (await list).path(), 'utf8')).toMatch(/"Greta".*"PIN \d{6}"/);
      await dialog.getByRole('button', { name: /Undo the import|Import rückgängig machen/ }).click();
      await dialog.getByText(/2 of 2 deleted again|2 von 2 wieder gelöscht/).waitFor();
      expect(await countIn(hotel.owner, 'is_deleted=false')).toBe(1);
    },
  );

  test('creates and removes a tag on the page of a member', { tags: ['slow'] }, async ({ hotel }) => {
    const { id } = await hotel.owner.callOk('POST', '/members', { name: 'Tagged' });
    const page = await hotel.open(`/members/${id}`, germanPhone);
    await page.getByRole('combobox', { name: 'Schlagwort hinzufügen' }).selectOption('new');
    await page.locator('[aria-labelledby=member-tags]').getByRole('button', { name: 'Hinzufügen' }).click();
    await page.getByRole('textbox', { name: 'Schlagwort', exact: true }).fill('Stammgast');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Schlagwort entfernen: Stammgast' }).waitFor();
    await checkScreen(page, 'member-tags');
    await page.getByRole('button', { name: 'Schlagwort entfernen: Stammgast' }).click();
    await page.getByText('Keine Schlagwörter.').waitFor();
  });

  test('exports the members that match as CSV', async ({ hotel }) => {
    await addMembers(hotel);
    const page = await hotel.open('/members?search=person+0');
    await page.getByRole('link', { name: /Person 09/ }).waitFor();
    await page.getByRole('link', { name: /Person 10/ }).waitFor({ state: 'detached' });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('"id","name","starts_at","ends_at","emails","groups","tags"');
  });

  test('offers no selection to a role that may not change members', async ({ hotel }) => {
    await hotel.client.callOk('POST', '/members', { name: 'Person 60' });
    const viewer = await hotel.newUser('viewer');
    const page = await hotel.open('/members', desktop, viewer);
    await page.getByRole('link', { name: /Person 60/ }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});
