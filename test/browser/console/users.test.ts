import { describe, expect } from 'vitest';
import { testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { desktop } from '../../support/browser/test-browser.ts';

describe('people and settings', () => {
  testWalk('invites a technician for a site, changes the role and revokes the invitation', async (hotel, options) => {
    const page = await hotel.open('/people', options);
    const email = options === desktop ? 'tessa@example.test' : 'tina@example.test';
    await page.getByRole('button', { name: /Invite a person|Person einladen/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Email address|E-Mail-Adresse/).fill(email);
    await dialog.getByRole('radio', { name: /Technician|Techniker/ }).check();
    await dialog.getByLabel('Hotel Lintel').check();
    await checkScreen(page, 'people-invite');
    await dialog.getByRole('button', { name: /^(Invite|Einladen)$/ }).click();
    const link = page.getByRole('status', { name: /Invitation link|Einladungslink/ });
    expect(await link.innerText()).toContain(hotel.address);
    await checkScreen(page, 'people');
    if (options === desktop) await savePicture(page, 'console-people-desktop');
    await page.getByRole('button', { name: new RegExp(`(Change role|Rolle ändern): ${email}`) }).click();
    await dialog.getByRole('radio', { name: /Viewer|Nur lesen/ }).check();
    await dialog.getByRole('button', { name: /^(Save|Speichern)$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await hotel.owner.callOk('GET', '/users');
    expect(data.find(user => user['email'] === email)).toMatchObject({ role: 'viewer', site_ids: [] });
    await page.getByRole('button', { name: new RegExp(`(Revoke invitation|Einladung widerrufen): ${email}`) }).click();
    await dialog.getByRole('button', { name: /Revoke|widerrufen/ }).click();
    await page.getByRole('listitem').filter({ hasText: email }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /Audit log|Prüfprotokoll/ }).click();
    await page
      .getByText(/Olivia (created|hat) .*(user|Benutzer)/)
      .first()
      .waitFor();
    await checkScreen(page, 'people-audit');
  });

  testWalk('renames the organization and shows the installation', async (hotel, options) => {
    const page = await hotel.open('/settings', options);
    const name = 'Hotel Sol';
    await page.getByText(hotel.address).first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page
      .locator('form', { has: page.locator('#organization-name') })
      .getByRole('button', { name: /^(Save|Speichern)$/ })
      .click();
    await page.getByText(/^(Saved|Gespeichert)$/).waitFor();
    await page.getByRole('banner').getByText(name).waitFor();
    expect(await hotel.owner.callOk('GET', '')).toMatchObject({ name });
  });
});
