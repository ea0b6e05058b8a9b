import { readFileSync } from 'node:fs';
import { instant } from '@lintel/access-core/instant';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestSite } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import {
  consoleOpener,
  germanPhone,
  savePicture,
  type Walk,
} from '../support/browser/console-opener-and-docs-screenshots.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, useBrowser } from '../support/browser/test-browser.ts';

const MEMBERS = 60;

describe('bulk actions for members in the admin console', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let address: string;
  let owner: AdminClient;
  let groupId: string;
  const open = consoleOpener(
    browser,
    () => address,
    () => owner,
  );

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true });
    bridge.now = instant(Date.now());
    address = await bridge.listen('127.0.0.1', 0);
    const client = await bridge.newOrganization();
    await createTestSite(bridge, client, { name: 'Hotel Lintel', timezone: 'Europe/Madrid' });
    owner = await openAdminSession(bridge, client.organizationId, 'owner');
    await owner.callOk('PATCH', '', { name: 'Hotel Lintel' });
    groupId = (await owner.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{}] })).id;
    for (let number = 1; number <= MEMBERS; number++)
      await owner.callOk('POST', '/members', { name: `Person ${String(number).padStart(2, '0')}` });
    const upcoming = { name: 'Future Guest', starts_at: '2036-07-01T13:00:00Z' };
    await owner.callOk('POST', '/members', upcoming);
  }, HOOK_TIMEOUT);
  afterAll(() => bridge.close(), HOOK_TIMEOUT);

  const countIn = async (filter: string): Promise<number> => {
    const { data } = await owner.callOk('GET', `/members?${filter}&limit=100`);
    return data.length;
  };

  const walkBulk: Walk = async options => {
    const page = await open('/members', options);
    const action = page.getByRole('combobox', { name: /^(Action|Aktion)$/ });
    const dialog = page.getByRole('dialog');
    await page.getByLabel(/^(Select Person 60|Person 60 auswählen)$/).check();
    await page.getByLabel(/^(Select Person 59|Person 59 auswählen)$/).check();
    await checkScreen(page, 'members-selected');
    await action.selectOption('addTag');
    await dialog.getByRole('combobox', { name: /^(Tag|Schlagwort)$/ }).selectOption('new');
    const tag = `VIP ${options.locale}`;
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
    await dialog.getByRole('combobox', { name: /^(Tag|Schlagwort)$/ }).selectOption({ label: tag });
    await dialog.getByRole('button', { name: /^(Remove tag|Schlagwort entfernen)$/ }).click();
    await dialog.getByText(/2 of 2 changed|2 von 2 geändert/).waitFor();
    await dialog.getByRole('button', { name: /Close|Schließen/ }).click();
    await page.getByText(/No member matches|Kein Mitglied passt/).waitFor();
  };
  it('tags selected members, finds them by the tag and removes it', () => walkBulk(desktop));
  it('tags selected members on a phone in German', { tags: ['slow'] }, () => walkBulk(germanPhone));

  it('changes all members that match, with the result of each', { tags: ['slow'] }, async () => {
    const page = await open('/members');
    const dialog = page.getByRole('dialog');
    const run = async (action: string, choose: () => Promise<unknown>, button: string, result: RegExp) => {
      await page.getByLabel('Select Person 60').check();
      await page.getByRole('button', { name: 'Select all that match' }).click();
      await page.getByText(`${MEMBERS + 1} members selected`).waitFor();
      await page.getByRole('combobox', { name: 'Action' }).selectOption(action);
      await choose();
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.getByText(result).waitFor();
      await checkScreen(page, `members-bulk-${action}`);
      if (action === 'end') await savePicture(page, 'members-bulk-desktop');
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    const chooseStaff = () => dialog.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Staff' });
    await run('addGroup', chooseStaff, 'Add to group', /61 of 61 changed/);
    expect(await countIn(`member_group_id=${groupId}`)).toBe(MEMBERS + 1);
    await run('addGroup', chooseStaff, 'Add to group', /0 of 61 changed, 61 needed no change, 0 failed/);
    await run('end', () => Promise.resolve(), 'End access now', /60 of 61 changed, 0 needed no change, 1 failed/);
    expect(await countIn(`ends_at:le=${new Date().toISOString()}`)).toBe(MEMBERS);
  });

  const walkImport: Walk = async options => {
    const page = await open('/members', options);
    const name = `Imported ${options.locale}`;
    await page.getByRole('button', { name: /Import members|Mitglieder importieren/ }).click();
    const dialog = page.getByRole('dialog');
    const choose = (csv: string) =>
      dialog
        .getByLabel(/CSV/)
        .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'utf8') });
    await choose(`Guest;Until;Group\n${name} 1;2036-06-01 11:00;Attic\n${name} 2;soon;\n`);
    await dialog.getByText(/Line 2: the name is missing|Zeile 2: der Name fehlt/).waitFor();
    await dialog.getByRole('combobox', { name: 'Name' }).selectOption({ label: 'Guest' });
    await dialog.getByText(/Line 2: there is no group “Attic”|Zeile 2: es gibt keine Gruppe „Attic“/).waitFor();
    await dialog.getByText(/Line 3: “soon” is not a date|Zeile 3: „soon“ ist keine Zeit/).waitFor();
    await checkScreen(page, 'members-import');
    await choose(`Name,Until,Group\n${name} 1,2036-06-01 11:00,Staff\n${name} 2,,\n`);
    await dialog.getByRole('button', { name: /Import 2 members|2 Mitglieder importieren/ }).click();
    await dialog.getByText(/2 of 2 created|2 von 2 angelegt/).waitFor();
    const { body } = await owner.get(`/members?search=${encodeURIComponent(name)}&expand=group_associations`);
    expect(new Map(body.data.map(member => [member.name, member['ends_at']]))).toEqual(
      new Map([
        [`${name} 1`, '2036-06-01T09:00:00.000Z'],
        [`${name} 2`, null],
      ]),
    );
    await dialog.getByRole('button', { name: /Undo the import|Import rückgängig machen/ }).click();
    await dialog.getByText(/2 of 2 deleted again|2 von 2 wieder gelöscht/).waitFor();
    expect(await countIn(`search=${encodeURIComponent(name)}`)).toBe(0);
  };
  it('imports members from CSV with mapped columns, and undoes it', { tags: ['slow'] }, () => walkImport(desktop));
  it('imports members on a phone in German', { tags: ['slow'] }, () => walkImport(germanPhone));

  it('creates and removes a tag on the page of a member', { tags: ['slow'] }, async () => {
    const { id } = await owner.callOk('POST', '/members', { name: 'Tagged' });
    const page = await open(`/members/${id}`, germanPhone);
    await page.getByRole('combobox', { name: 'Schlagwort hinzufügen' }).selectOption('new');
    await page.getByRole('textbox', { name: 'Schlagwort', exact: true }).fill('Stammgast');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Schlagwort entfernen: Stammgast' }).waitFor();
    await checkScreen(page, 'member-tags');
    await page.getByRole('button', { name: 'Schlagwort entfernen: Stammgast' }).click();
    await page.getByText('Keine Schlagwörter.').waitFor();
  });

  it('exports the members that match as CSV', { tags: ['slow'] }, async () => {
    const page = await open('/members?search=person+0');
    await page.getByRole('link', { name: /Person 09/ }).waitFor();
    await page.getByRole('link', { name: /Person 10/ }).waitFor({ state: 'detached' });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('"id","name","starts_at","ends_at","emails","groups","tags"');
  });

  it('offers no selection to a role that may not change members', { tags: ['slow'] }, async () => {
    const viewer = await openAdminSession(bridge, owner.organizationId, 'viewer');
    const page = await open('/members', desktop, viewer);
    await page.getByRole('link', { name: /Person 60/ }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});
