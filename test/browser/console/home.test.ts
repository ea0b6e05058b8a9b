import { insertIncident } from '@lintel/cloud-bridge/testing';
import { describe, expect } from 'vitest';
import { addGuests, test } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { desktop, phone } from '../../support/browser/test-browser.ts';

describe('home', () => {
  test('opens the home screen at the root and finds members and doors', async ({ hotel }) => {
    await addGuests(hotel);
    const page = await hotel.openRoot('/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(hotel.pathOf(''));
    await page.getByRole('heading', { name: 'Room 101' }).waitFor();
    await page.getByRole('button', { name: 'Open: Garage', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Garage: Open – done').waitFor();
    await page.getByText('Olivia opened Garage remotely').waitFor();
    await page
      .getByText(/Everything is working|needs attention/i)
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('list', { name: 'Busiest doors' }).getByRole('link', { name: 'Garage' }).waitFor();
    await page.locator('.chart-bars').waitFor();
    await checkScreen(page, 'admin-home');
    await page.getByRole('radio', { name: 'Last 7 days' }).check();
    await page.getByRole('list', { name: 'Busiest doors' }).getByText('1 opening and 0 denials').waitFor();
    await page.evaluate(`
      globalThis.isNothingFoundShown = false;
      new MutationObserver(() => {
        globalThis.isNothingFoundShown ||= document.body.textContent.includes('Nothing found');
      }).observe(document.body, { childList: true, subtree: true });
    `);
    await page.keyboard.press('/');
    await page.keyboard.type('room');
    await page.getByRole('option', { name: 'Room 102' }).waitFor();
    await page.getByRole('combobox', { name: 'Search members and doors' }).fill('ann');
    await page.getByRole('option', { name: 'Ann Example' }).waitFor();
    expect(await page.evaluate('isNothingFoundShown')).toBe(false);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ann Example' }).waitFor();
  });

  test('shows what the clock of the bridge postpones, and confirms the time', async ({ hotel }) => {
    const { services } = hotel.bridge;
    const incident = await insertIncident(services, hotel.owner.organizationId, {
      kind: 'clock_ahead',
      details: '{"device_ids":[],"revoked_ids":[]}',
    });
    const page = await hotel.openRoot('/');
    await page.getByText('The clock of the bridge is ahead of the time that it expects').waitFor();
    await checkScreen(page, 'admin-home-clock');
    await page.getByRole('button', { name: 'The time is right' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'The time is right' }).click();
    await page.getByText('The time is confirmed').waitFor();
    await page.getByText('The clock of the bridge is ahead of the time that it expects').waitFor({ state: 'detached' });
    const row = services.storage.reader.selectFrom('incidents').selectAll().where('id', '=', incident);
    expect((await row.executeTakeFirstOrThrow()).acknowledged_by).toBe(hotel.owner.userId);
  });

  test('loads less than 150 kB until the home screen is shown, with the texts of one language', async ({ hotel }) => {
    const page = await hotel.openRoot('/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.getByText('0 openings and 0 denials').waitFor();
    const files = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
    );
    const assets = files.filter(file => file.startsWith('/assets/'));
    expect(assets.filter(file => /^\/assets\/(?:en|de|es)-/.test(file))).toEqual([expect.stringContaining('/en-')]);
    const headers = { 'accept-encoding': 'gzip' };
    const responses = await Promise.all(assets.map(url => hotel.bridge.app.inject({ url, headers })));
    expect(responses.reduce((bytes, { rawPayload }) => bytes + rawPayload.length, 0)).toBeLessThan(150_000);
  });

  test('looks as in the documentation', { tags: ['slow'] }, async ({ hotel }) => {
    await addGuests(hotel);
    const members = (await hotel.owner.get('/members')).body.data;
    for (const { id } of members)
      await hotel.owner.call('POST', `/gadgets/${hotel.doorId('Front door')}/actions/open/execute_as_member`, {
        member_id: id,
      });
    const ann = members.find(({ name }) => name === 'Ann Example')!;
    await hotel.owner.callOk('POST', `/members/${ann.id}/pins`, { length: 6 });
    await hotel.owner.callOk('POST', `/members/${ann.id}/magic_links`, {});
    await hotel.owner.callOk('PATCH', `/members/${ann.id}`, {
      ends_at: new Date(Date.now() + 2 * 86_400_000).toISOString(),
    });
    const page = await hotel.openRoot('/', desktop);
    await page.getByText('Ann Example opened Front door').first().waitFor();
    await savePicture(page, 'console-home-desktop');
    await page.goto(`${hotel.address}${hotel.pathOf(`/members/${ann.id}`)}`);
    await page.getByText('Ann Example opened Front door').first().waitFor();
    await savePicture(page, 'console-member-desktop');
    const dark = await hotel.open('/activity', { ...desktop, colorScheme: 'dark' });
    await dark.getByText('Ann Example opened Front door').first().waitFor();
    await savePicture(dark, 'console-activity-desktop-dark');
    const stay = await hotel.open('/members/new', phone);
    await stay.getByLabel('Name').fill('Clara Stay');
    await savePicture(stay, 'console-new-stay-phone');
    const darkPhone = await hotel.open('/members', { ...phone, colorScheme: 'dark' });
    await darkPhone.getByRole('link', { name: /Ann Example/ }).waitFor();
    await checkScreen(darkPhone);
    await savePicture(darkPhone, 'console-members-phone-dark');
  });
});
