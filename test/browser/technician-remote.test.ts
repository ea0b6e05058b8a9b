import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { HOOK_TIMEOUT, useBrowser } from '../support/browser/test-browser.ts';
import { ControllerWithBridge } from '../support/technician/controller-with-bridge.ts';

describe('remote technician page', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let controller: ControllerWithBridge;

  beforeAll(async () => {
    controller = await ControllerWithBridge.createClaimed();
  }, HOOK_TIMEOUT);
  afterAll(() => controller?.close(), HOOK_TIMEOUT);

  const open = (user = controller.technician): Promise<TechnicianPageDriver> =>
    TechnicianPageDriver.openAtBridge(browser, user.headers['cookie']!, controller.bridgeUrl);

  it('lists the controllers and configures one, without the steps that need a person at the door', async () => {
    const technician = await open();
    const { page } = technician;
    await page.getByRole('heading', { name: 'Controllers' }).waitFor();
    await page.getByText('Working offline').click();
    expect(await page.getByRole('link', { name: /on the local network$/ }).getAttribute('href')).toMatch(
      /^https:\/\/127\.0\.0\.1:\d+\/#sign_in=pass$/,
    );
    await technician.press('Add a controller');
    await page.getByRole('button', { name: 'Claim ticket: Copy' }).waitFor();
    await checkScreen(technician.page);
    await page
      .getByRole('link', { name: /^Back door/ })
      .first()
      .click();
    await technician.connected();
    await technician.text('Remote').waitFor();
    await technician.text('Installation steps').waitFor();
    await checkScreen(technician.page);
    const menu = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(menu.map(text => text.trim())).toEqual(['Overview', 'Rules', 'Live', 'Tests', 'Report']);
    await technician.goTo('Live');
    await technician.text('Your role does not permit viewing events remotely').waitFor();
    await technician.goTo('Rules');
    await technician.addRule('4', 'Light');
    await technician.applyRules();
    await controller.waitUntil('the bridge has the rule', async () => {
      const device = await controller.client.callOk('GET', `/devices/${await controller.deviceId()}`);
      return JSON.stringify(device['input_rules']).includes('"4"');
    });
    await technician.goTo('Tests');
    await technician.press('Show all tests');
    expect(await page.getByRole('button', { name: /Read a card/ }).count()).toBe(0);
    await technician.press('Light: On');
    await technician.text('Your role does not permit opening doors and switching outputs remotely').waitFor();
    await technician.goTo('Report');
    await page.getByRole('article', { name: 'Installation report' }).waitFor();
    await checkScreen(technician.page);
    await page.getByRole('link', { name: 'All controllers' }).click();
    await page.getByRole('heading', { name: 'Controllers' }).waitFor();
  });

  it('keeps an edit while the controller is not reachable', async () => {
    const { bridge, client } = controller;
    const technician = await open(await openAdminSession(bridge, client.organizationId, 'administrator'));
    const { page } = technician;
    await page
      .getByRole('link', { name: /^Back door/ })
      .first()
      .click();
    await technician.connected();
    await technician.goTo('Rules');
    await technician.addRule('6', 'Blind', 'Up');
    controller.link.cut();
    await page.getByRole('status').filter({ hasText: 'Connection lost' }).waitFor();
    await technician.press('Apply');
    await page.getByRole('alert').filter({ hasText: 'The controller is offline' }).waitFor();
    controller.link.restore();
    await technician.connected();
    await technician.rule('6').waitFor();
    await technician.applyRules();
  });

  it('signs out of the bridge', async () => {
    const technician = await open();
    const { page } = technician;
    await page.getByRole('heading', { name: 'Controllers' }).waitFor();
    await technician.press('Sign out');
    await page.waitForURL('**/login?return_to=**');
    expect((await page.request.get(`${controller.bridgeUrl}/admin/v1/session`)).status()).toBe(401);
  });
});
