import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { createTestDevice, createTestSite } from '../../support/bridge/site-fixtures.ts';
import { type Hotel, test } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { desktop, phone } from '../../support/browser/test-browser.ts';

const NEW_ZONE = 'America/Coyhaique';

/** As a browser that is older than the zone. */
const forgetNewZone = `
  (() => {
    const check = options => {
      if (options?.timeZone === '${NEW_ZONE}') throw new RangeError('Invalid time zone specified: ${NEW_ZONE}');
    };
    Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
      construct: (target, [locale, options]) => (check(options), new target(locale, options)),
      apply: (target, self, [locale, options]) => (check(options), target(locale, options)),
    });
  })()
`;

/** A site with that zone, and a door. */
const addSiteWithNewZone = async ({ bridge, client }: Hotel): Promise<void> => {
  const site_id = await createTestSite(bridge, client, { name: 'Patagonia', timezone: 'Europe/Madrid' });
  // Stored directly, because Node may be older than the zone too.
  await bridge.services.storage.writer
    .updateTable('sites')
    .set({ timezone: NEW_ZONE })
    .where('id', '=', site_id)
    .execute();
  await createTestDevice(bridge, client, { site_id, name: 'Gate controller' });
};

describe('a browser that does not know the time zone of a site', () => {
  test('shows times in UTC and says so, and edits the site', async ({ hotel }) => {
    await addSiteWithNewZone(hotel);
    const page = await hotel.open('/settings', { ...phone, isReusable: false });
    await page.addInitScript(forgetNewZone);
    await page.goto(`${hotel.address}${hotel.pathOf('/doors')}`);
    await page.getByText(`does not know the time zone ${NEW_ZONE}. Times are shown in UTC:`).waitFor();
    await page.getByRole('link', { name: 'Front door' }).first().waitFor();
    await checkScreen(page, 'doors-unknown-zone');
    await page.getByRole('button', { name: 'Edit Patagonia' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Aysén');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Aysén', exact: true }).waitFor();
    const sites = (await hotel.owner.callOk('GET', '/sites')).data;
    expect(sites.find(({ name }) => name === 'Aysén')).toMatchObject({ timezone: NEW_ZONE });
  });
});

describe('an error of the console itself', () => {
  /** The list of sites has an entry that no bridge sends. */
  const breakSites = (page: Page) =>
    page.route('**/sites', route => route.fulfill({ json: { data: [null], has_next: false } }));

  test('shows a message with a button that reloads the page, and leaves other screens usable', async ({ hotel }) => {
    const page = await hotel.open('/developers', { ...desktop, expectedMessages: /TypeError/ });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await breakSites(page);
    const logged: string[] = [];
    page.on('console', message => logged.push(message.type()));
    await page.getByRole('link', { name: 'Doors' }).first().click();
    const alert = page.getByRole('alert').filter({ hasText: 'This page has an error' });
    await alert.waitFor();
    await expect.poll(() => logged).toContain('error');
    await checkScreen(page, 'page-error');
    await page.getByRole('link', { name: 'Developers' }).first().click();
    await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Doors' }).first().click();
    await page.unrouteAll();
    await alert.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('link', { name: 'Front door' }).waitFor();
  });
});
