import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { type Hotel, test } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { desktop, phone } from '../../support/browser/test-browser.ts';

const BEFORE = /Until: 21 Nov 2036, 11:00 → 1 May 2026, 11:00/;

/** Greta joins a group, her access ends, the door denies her, and the group gets a rule. */
const addGreta = async ({ owner }: Hotel, door: string) => {
  const greta = { name: 'Greta Lindqvist', ends_at: '2036-11-21T10:00:00Z' };
  const { id: memberId } = await owner.callOk('POST', '/members', greta);
  const { id: groupId } = await owner.callOk('POST', '/member_groups', { name: 'Cleaning' });
  await owner.callOk('POST', `/members/${memberId}/group_associations`, { member_group_id: groupId });
  await owner.callOk('PATCH', `/member_groups/${groupId}`, { permissions: [{ gadget_id: door }] });
  await owner.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-05-01T09:00:00Z' });
  await owner.call('POST', `/gadgets/${door}/actions/open/execute_as_member`, { member_id: memberId });
  return { memberId, groupId };
};

describe('history of changes', () => {
  test.override({ doors: ['Front door'] });

  test('the audit log gives values before and after, filters and exports', async ({ hotel }) => {
    await addGreta(hotel, hotel.doorId('Front door'));
    await hotel.owner.callOk('POST', '/schedules', {
      name: 'Night',
      weekdays: Array.from({ length: 7 }, () => ({ ranges: [] })),
    });
    const page = await hotel.open('/people/audit');
    await page.getByText(BEFORE).waitFor();
    await page.getByText('Olivia added Greta Lindqvist to the group Cleaning').waitFor();
    await page.getByText(/Rule added: Members may use Front door/).waitFor();
    await page.getByText('Olivia created the schedule Night').waitFor();
    await checkScreen(page, 'audit-log');
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('lindq');
    await page.getByText('Olivia created the schedule Night').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Kind of event' }).selectOption('edit');
    await page.getByText('Olivia added Greta').waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toContain('"Europe/Madrid"');
    expect(csv).toMatch(BEFORE);
    expect(csv.split('\r\n')).toHaveLength(2);
    await page.getByText(BEFORE).click();
    await page.getByRole('dialog').getByText(BEFORE).waitFor();
  });

  test('a person, a group and a door have the same history', { tags: ['slow'] }, async ({ hotel }) => {
    const door = hotel.doorId('Front door');
    const { memberId, groupId } = await addGreta(hotel, door);
    const page = await hotel.open(`/members/${memberId}`, phone);
    const history = page.getByRole('region', { name: 'History of changes' });
    await history.getByText(BEFORE).waitFor();
    await history.getByText('Olivia added Greta Lindqvist to the group Cleaning').waitFor();
    // A change appears without a reload.
    await hotel.owner.callOk('PATCH', `/members/${memberId}`, { name: 'Greta L.' });
    await history.getByText('Name: Greta Lindqvist → Greta L.').waitFor();
    await checkScreen(page, 'member-history');
    const german = await hotel.open(`/groups/${groupId}`, { ...desktop, locale: 'de-DE' });
    const verlauf = german.getByRole('region', { name: 'Verlauf der Änderungen' });
    await verlauf.getByText('Olivia hat Greta L. zur Gruppe Cleaning hinzugefügt').waitFor();
    await verlauf.getByText(/Regel hinzugefügt: .*Front door/).waitFor();
    await checkScreen(german, 'group-history-de');
    await hotel.owner.callOk('PATCH', `/gadgets/${door}`, { name: 'Main door' });
    const spanish = await hotel.open(`/doors/${door}`, { ...desktop, locale: 'es-ES' });
    await spanish
      .getByRole('region', { name: 'Historial de cambios' })
      .getByText('Nombre: Front door → Main door')
      .waitFor();
    await checkScreen(spanish, 'door-history-es');
  });

  test('a schedule has a history, and the audit log is filtered by an object with the keyboard', async ({ hotel }) => {
    const { owner } = hotel;
    const { groupId } = await addGreta(hotel, hotel.doorId('Front door'));
    const weekdays = (end: number) => Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end }] }));
    const { id: schedule } = await owner.callOk('POST', '/schedules', { name: 'Night', weekdays: weekdays(36_000) });
    await owner.callOk('PATCH', `/schedules/${schedule}`, { weekdays: weekdays(39_600) });
    const page = await hotel.open(`/schedules/${schedule}`);
    const history = page.getByRole('region', { name: 'History of changes' });
    await history.getByText(/Times: .*08:00–10:00 → .*08:00–11:00/).waitFor();
    await checkScreen(page, 'schedule-history');
    await owner.callOk('DELETE', `/member_groups/${groupId}`);
    await page.goto(`${hotel.address}${hotel.pathOf('/people/audit')}`);
    await page.getByText('Olivia created the schedule Night').waitFor();
    await page.getByRole('button', { name: 'Filter by object' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Filter by object' });
    await dialog.getByLabel('Type').selectOption({ label: 'Group' });
    await dialog.getByLabel('Search by name').focus();
    await page.keyboard.type('clean');
    await dialog.getByRole('button', { name: 'Cleaning (deleted)' }).waitFor();
    await checkScreen(page, 'audit-object');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Olivia created the schedule Night').waitFor({ state: 'detached' });
    await page.getByText(/Rule added: Members may use Front door/).waitFor();
    expect(new URL(page.url()).searchParams.get('object')).toBe(groupId);
    await page.reload();
    await page.getByRole('button', { name: 'Remove filter: Group: Cleaning' }).click();
    await page.getByText('Olivia created the schedule Night').waitFor();
  });

  test('a denial is explained by its recorded reason, and by what changed since', async ({ hotel }) => {
    const { memberId } = await addGreta(hotel, hotel.doorId('Front door'));
    await hotel.owner.callOk('PATCH', `/members/${memberId}`, { ends_at: '2036-12-01T10:00:00Z' });
    const page = await hotel.open('/activity?kind=deny');
    await page.getByRole('button', { name: /Front door denied access to Greta/ }).click();
    await page.getByRole('button', { name: 'Why was this denied?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Access of Greta Lindqvist' });
    const lead = dialog.getByText(/Front door denied access to Greta Lindqvist today \d\d:\d\d: access has ended/);
    await lead.waitFor();
    await dialog.getByText(/Until: 1 May 2026, 11:00 → 1 Dec 2036, 11:00/).waitFor();
    await dialog.getByText('Now Greta Lindqvist can open Front door').waitFor();
    expect(await lead.evaluate(element => element.getBoundingClientRect().top)).toBeLessThan(
      await dialog.getByText('Since then').evaluate(element => element.getBoundingClientRect().top),
    );
    await checkScreen(page, 'why-denied');
    await hotel.owner.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-05-02T10:00:00Z' });
    const narrow = await hotel.open('/activity?kind=deny', { ...phone, locale: 'es-ES' });
    await narrow.getByRole('button', { name: /Front door ha denegado el acceso a Greta/ }).click();
    await narrow.getByRole('button', { name: /Por qué/ }).click();
    await narrow.getByText(/Ahora Greta Lindqvist tampoco puede abrir Front door/).waitFor();
    await checkScreen(narrow, 'why-denied-es');
  });
});
