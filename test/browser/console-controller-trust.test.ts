import { instant } from '@lintel/access-core/instant';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestSite, door } from '../support/bridge/site-fixtures.ts';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { ControllerIdentity } from '../support/devices/controller-identity.ts';
import { TestController } from '../support/devices/test-controller.ts';

const germanPhone = { ...phone, locale: 'de-DE' };

describe('console screens for the trust in controllers', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let address: string;
  let client: TestOrganizationClient;
  let owner: AdminClient;
  let siteId: string;

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true });
    bridge.now = instant(Date.now());
    address = await bridge.listen('127.0.0.1', 0);
    client = await bridge.newOrganization();
    siteId = await createTestSite(bridge, client, { name: 'Hotel Lintel', timezone: 'Europe/Madrid' });
    owner = await openAdminSession(bridge, client.organizationId, 'owner');
  }, HOOK_TIMEOUT);
  afterAll(() => bridge.close(), HOOK_TIMEOUT);

  const claim = async (role: 'technician' | 'owner', name: string): Promise<TestController> => {
    const issuer = await openAdminSession(bridge, client.organizationId, role, [siteId]);
    const issued = await issuer.callOk('POST', '/claim_tickets', { site_id: siteId });
    const identity = new ControllerIdentity(bridge);
    const request = { ticket: String(issued['ticket']), name, gadgets: [{ ...door, name: `${name} door` }] };
    return new TestController(bridge, identity, await identity.redeem(bridge, request));
  };
  const open = async (path: string, options: BrowserContextOptions): Promise<Page> => {
    const session = { cookie: owner.headers['cookie']!, url: address };
    const page = await browser.open({ ...options, onlyOrigin: address, session });
    await page.goto(`${address}/organizations/${owner.organizationId}${path}`);
    return page;
  };

  it('confirms a controller on the home screen and rejects one on its page', async () => {
    const cellar = await claim('technician', 'Cellar');
    const home = await open('/', desktop);
    await home.getByText(cellar.identity.hardwareId).waitFor();
    await checkScreen(home, 'admin-home-waiting-controller');
    await home.getByRole('button', { name: 'Confirm' }).click();
    await home.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await home.getByText('The controller of Cellar is confirmed').waitFor();
    await expect.poll(() => home.getByText(cellar.identity.hardwareId).count()).toBe(0);

    const attic = await claim('technician', 'Attic');
    const page = await open(`/devices/${attic.deviceId}`, germanPhone);
    await page.getByRole('heading', { name: 'Wartet auf Ihre Bestätigung' }).waitFor();
    await checkScreen(page, 'admin-device-waiting-controller');
    await page.getByRole('button', { name: 'Ablehnen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ablehnen' }).click();
    await page.getByText('Der Controller von Attic ist abgelehnt').waitFor();
    expect((await owner.callOk('GET', `/devices/${attic.deviceId}`))['is_deleted']).toBe(true);
  });

  it('reports a controller as stolen and shows the new PINs', async () => {
    const lobby = await claim('owner', 'Lobby');
    const { id: groupId } = await client.callOk('POST', '/member_groups', {
      name: 'Guests',
      permissions: [{ site_id: siteId }],
    });
    const { id } = await client.callOk('POST', '/members', { name: 'Ann Example' });
    await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: groupId });
    await client.callOk('POST', `/members/${id}/pins`, { pin: '258013' });
    const { id: cardId } = await client.callOk('POST', '/cards', { uid: '04a1b2c3', name: 'Blue card' });
    await client.callOk('POST', `/members/${id}/cards`, { card_id: cardId });
    for (const options of [phone, desktop]) {
      const page = await open(`/devices/${lobby.deviceId}`, options);
      await page.getByRole('button', { name: 'This controller was stolen' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 person, 1 PIN, 1 card').waitFor();
      await checkScreen(page, 'admin-device-stolen');
      if (options === phone) continue;
      await dialog.getByRole('button', { name: 'Lock out and replace PINs' }).click();
      await dialog.getByText('The PINs are replaced').waitFor();
      const { data } = await client.callOk('GET', `/members/${id}/pins`);
      const { pin } = await owner.callOk('POST', `/members/${id}/pins/${data[0]!.id}/reveal`);
      expect(await dialog.getByRole('listitem').innerText()).toMatch(
        new RegExp(`Ann Example[^]*${String(pin)}[^]*Blue card`),
      );
      await checkScreen(page, 'admin-device-stolen-result');
    }
  });
});
