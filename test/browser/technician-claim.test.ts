import { afterEach, describe, expect, it } from 'vitest';
import { callAsOwner, openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestDevice, createTestSite } from '../support/bridge/site-fixtures.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { SupervisedController } from '../support/processes/supervised-controller.ts';
import { ControllerWithBridge } from '../support/technician/controller-with-bridge.ts';

const waitUntilClaimed = (technician: TechnicianPageDriver): Promise<void> =>
  technician.page.getByRole('heading', { name: 'Claimed' }).waitFor();

describe('claim screen', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let controller: ControllerWithBridge | null = null;
  let unconfigured: SupervisedController | null = null;

  afterEach(async () => {
    await controller?.close();
    await unconfigured?.close();
    controller = null;
    unconfigured = null;
  }, HOOK_TIMEOUT);

  const openAtBridge = ({ technician, bridgeUrl }: ControllerWithBridge): Promise<TechnicianPageDriver> =>
    TechnicianPageDriver.openAtBridge(browser, technician.headers['cookie']!, bridgeUrl);

  it('asks for a hardware profile first, and continues by itself after the restart', async () => {
    unconfigured = await SupervisedController.start();
    const technician = await TechnicianPageDriver.open(
      browser,
      phone,
      unconfigured.url,
      `#code=${unconfigured.setupCode}`,
    );
    const { page } = technician;
    await technician.connected();
    // A second one if the disk of this machine is almost full.
    await technician.text(/^[12] faults?$/).waitFor();
    await checkScreen(technician.page, 'unconfigured-overview');
    await page.getByRole('link', { name: 'Choose the hardware profile' }).click();
    await technician.text('Choose a hardware profile below first.').waitFor();
    expect(await page.getByRole('button', { name: 'Claim', exact: true }).count()).toBe(0);
    const profiles = page.getByRole('region', { name: 'Hardware profile' });
    await profiles.getByText('Detected hardware').click();
    await profiles.getByText(/^Node \d+/).waitFor();
    await checkScreen(technician.page, 'unconfigured-profiles');
    // A profile with missing parts can be chosen too, because a relay cannot be detected.
    await profiles
      .getByRole('listitem')
      .filter({ hasText: /Raspberry Pi.* of \d+ parts detected/ })
      .getByRole('button')
      .first()
      .waitFor();
    await profiles.getByText(/^\d+ more$/).click();
    await checkScreen(technician.page, 'unconfigured-all-profiles');

    await profiles.getByRole('button', { name: 'Simulated controller: Use this profile' }).click();
    await technician.text('This page reconnects automatically.').waitFor();
    await page.getByRole('textbox', { name: 'Claim ticket' }).waitFor();
    expect(unconfigured.exits).toEqual([75]);
    await profiles.getByRole('listitem').filter({ hasText: 'Simulated controller' }).getByText('in use').waitFor();
    expect(await page.getByLabel('1. Door').inputValue()).toBe('Door');
    await checkScreen(technician.page, 'unconfigured-chosen');
    await technician.goTo('Overview');
    await technician.text('laptop-simulator').waitFor();
  });

  it.each([
    ['phone', phone],
    ['desktop', desktop],
  ])('claims with a claim code, the address of the bridge and names on a %s', async (_, screen) => {
    controller = await ControllerWithBridge.create();
    await controller.connectBridge();
    await controller.start();
    const bridgePage = await openAtBridge(controller);
    const site = bridgePage.page.getByRole('region', { name: 'Main' });
    await site.getByText('No claimed controllers at this site yet.').waitFor();
    await bridgePage.press('Add a controller');
    await bridgePage.text(`this code and the address ${controller.bridgeUrl}`).waitFor();
    await bridgePage.text('No controller can reach this bridge').waitFor();
    await site.getByRole('group', { name: 'Claim ticket' }).waitFor();
    const code = await site.locator('.big-code').innerText();
    await checkScreen(bridgePage.page, 'bridge-code');

    const technician = await TechnicianPageDriver.open(
      browser,
      screen,
      controller.url,
      `#code=${controller.setupCode}`,
    );
    const { page } = technician;
    await technician.connected();
    await technician.goTo('Claim');
    await page.getByText('Code', { exact: true }).click();
    await page.getByLabel('Claim code').fill(code.toLowerCase().replaceAll('-', ''));
    await page.getByLabel('Bridge address').fill('not an address');
    await technician.text('This is not a valid address.').waitFor();
    await page.getByRole('button', { name: 'Claim', exact: true, disabled: true }).waitFor();
    await page.getByLabel('Bridge address').fill(controller.bridgeUrl);
    await page.getByLabel('Device name').fill('Cellar');
    await page.getByLabel('1. Door').fill('Cellar door');
    await checkScreen(technician.page, 'claim-by-code');
    await technician.press('Claim');
    await waitUntilClaimed(technician);
    await page.getByText('Cellar door, Light, Blind').waitFor();
    await page.getByRole('banner').getByText('Cellar', { exact: true }).waitFor();
    await checkScreen(technician.page, 'claimed');
    const device = await controller.client.callOk('GET', `/devices/${await controller.deviceId()}?expand=gadgets,site`);
    expect(device).toMatchObject({ name: 'Cellar', site: { id: controller.siteId } });
    expect((device['gadgets'] as { name: string }[]).map(({ name }) => name)).toContain('Cellar door');
  });

  it('replaces a broken controller and restores its name, gadgets and rules', async () => {
    controller = await ControllerWithBridge.createClaimed();
    const deviceId = await controller.deviceId();
    const gadget_id = await controller.gadgetId('Light');
    const input_rules = [{ code: '42', gadget_id, action_id: 'on' }];
    await controller.technician.callOk('PUT', `/devices/${deviceId}/input_rules`, { input_rules });
    await controller.replaceHardware();
    await controller.start();

    const bridgePage = await openAtBridge(controller);
    await bridgePage.press('Replace the hardware of Back door');
    const ticket = await bridgePage.page.locator('.copyable code').innerText();

    const technician = await TechnicianPageDriver.open(browser, phone, controller.url, `#code=${controller.setupCode}`);
    const { page } = technician;
    await technician.connected();
    await technician.goTo('Claim');
    await page.getByRole('textbox', { name: 'Claim ticket' }).fill(ticket);
    await technician.text('Replaces a device').waitFor();
    expect(await page.getByLabel('Device name').count()).toBe(0);
    await checkScreen(technician.page, 'replacing');
    await technician.press('Claim');
    // The ticket is of a technician, and the present controller is in use.
    await technician.text('confirmation of an administrator').waitFor();
    await callAsOwner(controller.bridge, controller.client, 'POST', `/devices/${deviceId}/confirm`, {});
    await waitUntilClaimed(technician);
    await page.getByRole('banner').getByText('Back door').waitFor();
    await technician.text('Door, Light, Blind').waitFor();
    await checkScreen(technician.page, 'replaced');
    await technician.goTo('Rules');
    await technician.text('Code 42 followed by a PIN or card switches on Light').waitFor();
    expect(await controller.deviceId()).toBe(deviceId);
  });

  it('moves a controller to another organization after presence at the controller', async () => {
    controller = await ControllerWithBridge.createClaimed();
    const { bridge } = controller;
    const buyer = await bridge.newOrganization();
    const siteId = await createTestSite(bridge, buyer, { name: 'Warehouse' });
    const owner = await openAdminSession(bridge, buyer.organizationId, 'owner');
    const withPass = await TechnicianPageDriver.openWithPass(browser, phone, controller);
    const claimAgain = async ({ page }: TechnicianPageDriver): Promise<void> => {
      const { ticket } = await owner.callOk('POST', '/claim_tickets', { site_id: siteId });
      await page.getByText('Transferring this controller?').click();
      await page.getByRole('button', { name: 'Claim again' }).click();
      await page.getByRole('textbox', { name: 'Claim ticket' }).fill(String(ticket));
      await page.getByLabel('Device name').fill('Gate');
      await page.getByRole('button', { name: 'Claim', exact: true }).click();
      await page.getByRole('dialog', { name: 'Remove the controller from its organization?' }).waitFor();
    };
    const startClaimingAgain = async (technician: TechnicianPageDriver): Promise<void> => {
      await technician.page.getByRole('link', { name: 'Claim the controller' }).click();
      await claimAgain(technician);
    };
    await startClaimingAgain(withPass);
    await checkScreen(withPass.page, 'again-question');
    await withPass.page.getByRole('dialog').getByRole('button', { name: 'Claim again' }).click();
    await withPass.text('Claiming again requires the setup code.').waitFor();
    await checkScreen(withPass.page, 'again-refused');

    await controller.device.parts({ press: 'setup_button' });
    const technician = await TechnicianPageDriver.open(browser, phone, controller.url, `#code=${controller.setupCode}`);
    const { page } = technician;
    await technician.connected();
    await startClaimingAgain(technician);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await controller.client.callOk('GET', '/devices')).data).toHaveLength(1);
    await technician.press('Claim');
    await page.getByRole('dialog').getByRole('button', { name: 'Claim again' }).click();
    await page.getByRole('banner').getByText('Gate').waitFor();
    await waitUntilClaimed(technician);
    await technician.text('Warehouse').waitFor();
    await checkScreen(technician.page, 'again-done');
    expect((await buyer.callOk('GET', '/devices')).data).toMatchObject([{ name: 'Gate' }]);
    // The earlier organization keeps its device, which is offline now.
    expect((await controller.client.callOk('GET', '/devices')).data).toHaveLength(1);
  });

  it('waits for the bridge when it claims a claimed controller again, and shows why the bridge refused', async () => {
    controller = await ControllerWithBridge.createClaimed();
    await controller.device.parts({ press: 'setup_button' });
    const technician = await TechnicianPageDriver.open(browser, phone, controller.url, `#code=${controller.setupCode}`);
    const { page } = technician;
    await technician.connected();
    const claimByCode = async (bridge: string): Promise<void> => {
      await page.getByText('Code', { exact: true }).click();
      await page.getByLabel('Claim code').fill('7K3M0QXWPT5H');
      await page.getByLabel('Bridge address').fill(bridge);
      await technician.press('Claim');
      await page.getByRole('dialog').getByRole('button', { name: 'Claim again' }).click();
    };
    await page.getByRole('link', { name: 'Claim the controller' }).click();
    await page.getByText('Transferring this controller?').click();
    await technician.press('Claim again');
    await claimByCode('http://127.0.0.1:1');
    await technician.text('The claim completes when the controller is online').waitFor();
    await technician.text(/Last attempt: .*127\.0\.0\.1:1/).waitFor();
    await technician.press('Use another ticket or code');
    await claimByCode(controller.bridgeUrl);
    await technician.text('The controller was not claimed again and nothing has changed').waitFor();
    await checkScreen(technician.page, 'again-not-taken');
    await page.getByRole('banner').getByText('Back door').waitFor();
  });

  it('offers a ticket for a device that is not claimed yet', async () => {
    controller = await ControllerWithBridge.create();
    await controller.connectBridge();
    await createTestDevice(controller.bridge, controller.client, { site_id: controller.siteId, name: 'Loading bay' });
    const bridgePage = await openAtBridge(controller);
    await bridgePage.press('Claim a controller for Loading bay');
    await bridgePage.page.getByRole('button', { name: 'Claim ticket: Copy' }).waitFor();
  });
});
