import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestDevice, createTestSite, door } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';

describe('admin console', () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let address: string;
  let owner: AdminClient;

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true });
    address = await bridge.listen('127.0.0.1', 0);
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client, { name: 'Hotel Lintel', timezone: 'Europe/Madrid' });
    await createTestDevice(bridge, client, {
      site_id,
      name: 'First floor',
      gadgets: ['Front door', 'Room 101', 'Room 102', 'Garage'].map(name => ({ ...door, name })),
    });
    owner = await openAdminSession(bridge, client.organizationId, 'owner');
  }, HOOK_TIMEOUT);
  afterAll(() => bridge.close(), HOOK_TIMEOUT);

  const open = async (path: string, options = desktop, user = owner): Promise<Page> => {
    const page = await browser.open({
      ...options,
      onlyOrigin: address,
      session: { cookie: user.headers['cookie']!, url: address },
    });
    await page.goto(`${address}${path}`);
    return page;
  };
  const pathOf = (path: string): string => `/organizations/${owner.organizationId}${path}`;

  it('opens the home screen at the root, with doors, search and account', async () => {
    const page = await open('/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pathOf(''));
    await page.getByRole('heading', { name: 'Room 101' }).waitFor();
    await checkScreen(page, 'admin-home');
    await page.keyboard.press('/');
    await page.keyboard.type('room');
    await page.getByRole('option', { name: 'Room 102' }).waitFor();
  });

  it('lists doors at 360 pixels in German', async () => {
    const page = await open(pathOf('/doors'), { ...phone, locale: 'de-DE' });
    await page.getByRole('heading', { name: 'Türen', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Room 101' }).waitFor();
    await checkScreen(page, 'admin-doors-de');
  });
});
