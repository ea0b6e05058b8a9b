import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestDevice, createTestSite } from '../support/bridge/site-fixtures.ts';
import { useConsole } from '../support/browser/console-fixture.ts';
import { germanPhone } from '../support/browser/console-opener-and-docs-screenshots.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT } from '../support/browser/test-browser.ts';

describe('a member in the console', { tags: ['slow'] }, () => {
  const hotel = useConsole();
  let azoresDoor: string;
  let madridDoor: string;

  beforeAll(async () => {
    const client = await hotel.bridge.newApplication(hotel.owner.organizationId);
    madridDoor = (await hotel.owner.get('/gadgets')).body.data[0]!.id;
    const site_id = await createTestSite(hotel.bridge, client, { name: 'Island', timezone: 'Atlantic/Azores' });
    azoresDoor = (await createTestDevice(hotel.bridge, client, { site_id })).gadgetId;
  }, HOOK_TIMEOUT);

  const newMember = async (name: string, doors: readonly string[]): Promise<string> => {
    const { owner } = hotel;
    const permissions = doors.map(gadget_id => ({ gadget_id }));
    const group = await owner.callOk('POST', '/member_groups', { name: `Group of ${name}`, permissions });
    const { id } = await owner.callOk('POST', '/members', { name, ends_at: '2036-07-05T09:00:00Z' });
    await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
    return id;
  };

  it('shows times in the zone of the doors of the member, and names it', async () => {
    const island = await newMember('Ines Island', [azoresDoor]);
    await newMember('Max Madrid', [madridDoor]);
    const both = await newMember('Bo Both', [azoresDoor, madridDoor]);
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

  it('names the zone of the times of the activity', async () => {
    const member = await newMember('Zoe Zones', [azoresDoor, madridDoor]);
    const client = await hotel.bridge.newApplication(hotel.owner.organizationId);
    const use = (door: string) =>
      client.callOk('POST', `/gadgets/${door}/actions/open/execute_as_member`, { member_id: member });
    await use(azoresDoor);
    const page = await hotel.open(`/members/${member}`);
    const activity = page.locator('[aria-labelledby=recent-events]');
    await activity.getByText('Times are those of the site (Atlantic/Azores)').waitFor();
    await use(madridDoor);
    await activity.getByText('Times are those of each site').waitFor();
  });

  it('exports the personal data as a file', async () => {
    const { id } = await hotel.owner.callOk('POST', '/members', { name: 'Nora Export' });
    const page = await hotel.open(`/members/${id}`, desktop);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export personal data' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`personal-data-${id}.json`);
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({ member: { id, name: 'Nora Export' } });
  });

  it('erases the personal data after the name is typed', async () => {
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

  it('hides both from roles without the permission', async () => {
    const { id } = await hotel.owner.callOk('POST', '/members', { name: 'Vic Viewed' });
    const viewer = await openAdminSession(hotel.bridge, hotel.owner.organizationId, 'viewer');
    const page = await hotel.open(`/members/${id}`, desktop, viewer);
    await page.getByRole('heading', { name: 'Vic Viewed', level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /personal data/ }).count()).toBe(0);
  });
});
