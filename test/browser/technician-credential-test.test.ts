import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkScreen } from '../support/browser/page-checks.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { ControllerWithBridge } from '../support/technician/controller-with-bridge.ts';

const PIN = '2580';
const CARD = '04a1b2c3d4e5f6';
const UNKNOWN_CARD = '04ffffffffffff';

describe('credential test screen', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let controller: ControllerWithBridge;

  beforeAll(async () => {
    controller = await ControllerWithBridge.createClaimed();
    const { client, technician } = controller;
    const gadget_id = await controller.gadgetId('Door');
    const group = await client.callOk('POST', '/member_groups', { name: 'Guests', permissions: [{ gadget_id }] });
    const { id } = await client.callOk('POST', '/members', { name: 'Ann' });
    await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
    await client.callOk('POST', `/members/${id}/pins`, { pin: PIN });
    await client.callOk('POST', `/members/${id}/cards`, { uid: CARD });
    await technician.callOk('PUT', `/devices/${await controller.deviceId()}/input_rules`, {
      input_rules: [
        { code: '1', gadget_id, action_id: 'open' },
        { code: '2', gadget_id: await controller.gadgetId('Light'), action_id: 'on' },
      ],
    });
    const watching = await controller.loginWithPass();
    const tried = () =>
      watching.call('POST', '/input_rules/try', { body: { code: '1', credential: { type: 'pin', pin: PIN } } });
    await controller.waitUntil('the controller has the rules', async () => {
      const rules = (await watching.call('GET', '/input_rules')).body['input_rules'] as unknown as readonly unknown[];
      return rules.length === 2;
    });
    await controller.waitUntil('the controller has the member', async () => (await tried()).body['granted'] === true);
  }, HOOK_TIMEOUT);
  afterAll(() => controller?.close(), HOOK_TIMEOUT);

  /** Every gadget output that is switched on from now on, without the light and buzzer that acknowledge a card. */
  const watchOutputs = async (): Promise<readonly string[]> => {
    const moved: string[] = [];
    const socket = createConnection(join(controller.device.dataDir, 'parts.sock'));
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    createInterface({ input: socket }).on('line', line => {
      const { output, on } = JSON.parse(line) as { readonly output?: string; readonly on?: boolean };
      if (output !== undefined && on === true && !/led|buzzer/.test(output)) moved.push(output);
    });
    return moved;
  };

  const open = async (screen: BrowserContextOptions): Promise<TechnicianPageDriver> => {
    const technician = await TechnicianPageDriver.openWithPass(browser, screen, controller);
    await technician.goTo('Try');
    return technician;
  };

  const choose = (technician: TechnicianPageDriver, label: string): Promise<unknown> =>
    technician.page.getByLabel('Rule', { exact: true }).selectOption({ label });

  it.each([
    ['phone', phone],
    ['desktop', desktop],
  ])('shows what a PIN or card would open without opening it on a %s', async (_, screen) => {
    const moved = await watchOutputs();
    const technician = await open(screen);
    const { page } = technician;
    await choose(technician, '1: opens Door');
    await page.getByLabel('PIN', { exact: true }).last().fill(PIN);
    await technician.press('Check');
    await technician.text('Would be granted: Door, Open').waitFor();
    await technician.text(/^Member …/).waitFor();
    await checkScreen(technician.page, 'try-granted');
    await page.getByText('Next card', { exact: true }).click();
    await technician.press('Check');
    await technician.text(/Present a card/).waitFor();
    await checkScreen(technician.page, 'try-waiting');
    await controller.device.parts({ card: CARD });
    await technician.text(/^Card \S*f6$/).waitFor();
    await technician.text('Would be granted: Door, Open').waitFor();

    // The same member at a door without a permission.
    await choose(technician, '2: switches on Light');
    await technician.press('Check');
    await technician.text(/Present a card/).waitFor();
    await controller.device.parts({ card: CARD });
    await technician.text('Would be denied: Light, On').waitFor();
    await technician.text('no access to this door').waitFor();
    await technician.press('Check');
    await technician.text(/Present a card/).waitFor();
    await controller.device.parts({ card: UNKNOWN_CARD });
    await technician.text('unknown PIN or card').waitFor();
    expect(await page.getByText('Member …').count()).toBe(0);
    await checkScreen(technician.page, 'try-denied');
    expect(await page.locator('body').innerText()).not.toContain(CARD);

    // The door still works, which also shows that the recording sees outputs.
    expect(moved).toEqual([]);
    await controller.device.type(`1${PIN}`);
    await expect.poll(() => moved).toEqual(['door_relay']);
  });

  it('asks for a card only after the controller waits for one', async () => {
    const technician = await open(phone);
    const { page } = technician;
    const sent = Promise.withResolvers<void>();
    await page.route('**/input_rules/try', async route => {
      await sent.promise;
      await route.continue();
    });
    await page.getByText('Next card', { exact: true }).click();
    await technician.press('Check');
    await technician.text('Wait: the controller is not ready for a card yet.').waitFor();
    expect(await page.getByText('Present a card').count()).toBe(0);
    sent.resolve();
    await technician.text(/Present a card/).waitFor();
    await controller.device.parts({ card: CARD });
    await technician.text('Would be granted: Door, Open').waitFor();
  });

  it('shows why a wrong PIN is denied, and the lockout after five of them', async () => {
    const moved = await watchOutputs();
    const technician = await open(phone);
    const { page } = technician;
    await page.clock.install();
    const pin = page.getByLabel('PIN', { exact: true }).last();
    for (let tries = 0; tries < 5; tries++) {
      await pin.fill(`999${tries}`);
      await technician.press('Check');
      await technician.text('unknown PIN or card').waitFor();
      await pin.fill('');
    }
    await pin.fill(PIN);
    await technician.press('Check');
    await technician.text('Too many wrong PINs.').waitFor();
    await page.getByRole('button', { name: /^Wait 0:[123]\d$/ }).waitFor();
    expect(await page.getByText('Would be').count()).toBe(0);
    await checkScreen(technician.page, 'try-locked');
    await page.getByText('Next card', { exact: true }).click();
    await technician.press('Check');
    await technician.text(/Present a card/).waitFor();
    await controller.device.parts({ card: CARD });
    await technician.text('Would be granted: Door, Open').waitFor();
    await page.getByText('PIN', { exact: true }).first().click();
    await page.getByRole('button', { name: /^Wait 0:[123]\d$/ }).waitFor();
    // On the page only. The controller decides, and its lockout has not ended.
    await page.clock.fastForward(30_000);
    await technician.press('Check');
    await technician.text('Too many wrong PINs.').waitFor();
    expect(moved).toEqual([]);
  });
});
