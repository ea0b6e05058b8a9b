import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkScreen, expectToFit } from '../support/browser/page-checks.ts';
import { writeQrVideo } from '../support/browser/qr-video.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { ControllerWithBridge } from '../support/technician/controller-with-bridge.ts';

describe('technician login', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-video-'));
  const video = join(folder, 'ticket.y4m');
  const browser = useBrowser();
  const cameraBrowser = useBrowser(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  );
  let controller: ControllerWithBridge;

  beforeAll(async () => {
    controller = await ControllerWithBridge.createClaimed();
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    await controller?.close();
    rmSync(folder, { recursive: true, force: true });
  }, HOOK_TIMEOUT);

  it('opens a controller through the bridge', { tags: ['slow'] }, async () => {
    const { technician: admin, bridgeUrl } = controller;
    const technician = await TechnicianPageDriver.openAtBridge(browser, admin.headers['cookie']!, bridgeUrl);
    const { page } = technician;
    await page.getByRole('heading', { name: 'Controllers' }).waitFor();
    await expectToFit(page);
    await page
      .getByRole('link', { name: /^Back door/ })
      .first()
      .click();
    await technician.connected();
    await technician.text('Remote').waitFor();
    await expectToFit(page);
  });

  it('signs in with a pass that it gets from the bridge in two taps, and again without the bridge', async () => {
    const technician = await TechnicianPageDriver.openWithBridge(browser, phone, controller);
    const { page } = technician;
    await technician.text('Only this step requires internet').waitFor();
    await checkScreen(page, 'get-pass');
    await technician.press('Get a technician pass');
    await page.getByRole('heading', { name: 'Sign in at Back door' }).waitFor();
    await technician.text('asks for a technician pass').waitFor();
    await checkScreen(page, 'pass-request');
    await technician.press('Continue');
    await technician.connected();
    expect(page.url()).not.toContain('pass=');
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain('pass=');

    await page.context().clearCookies();
    await page.goto(controller.url);
    await technician.text(/^This browser has a technician pass/).waitFor();
    await checkScreen(page, 'stored-pass');
    await technician.press('Sign in');
    await technician.connected();

    await technician.press('Sign out');
    await technician.text('Only this step requires internet').waitFor();
  });

  it('keeps the key of the pass out of reach of the page', { tags: ['slow'] }, async () => {
    const { page } = await TechnicianPageDriver.openWithPass(browser, phone, controller);
    const stored = await page.evaluate(`new Promise(resolve => {
      const opening = indexedDB.open('lintel-technician', 1);
      opening.onsuccess = () => {
        const request = opening.result.transaction('keys').objectStore('keys').get('pass');
        request.onsuccess = () => {
          const { privateKey, pass } = request.result;
          crypto.subtle.exportKey('jwk', privateKey).then(
            () => resolve([pass !== null, 'exported']),
            error => resolve([pass !== null, error.name]),
          );
        };
      };
    })`);
    expect(stored).toEqual([true, 'InvalidAccessError']);
  });

  it('rejects a pass that was issued for another browser', { tags: ['slow'] }, async () => {
    const fragment = `#pass=${await controller.pass()}`;
    const technician = await TechnicianPageDriver.open(browser, phone, controller.url, fragment);
    await technician.page.getByRole('alert').filter({ hasText: 'issued for another browser' }).waitFor();
    expect(technician.page.url()).not.toContain('pass=');
  });

  it('gets no pass for an address that the controller has not reported', { tags: ['slow'] }, async () => {
    const { technician: admin, bridgeUrl, url } = controller;
    const technician = await TechnicianPageDriver.openAtBridge(browser, admin.headers['cookie']!, bridgeUrl);
    const { page } = technician;
    for (const return_to of ['https://evil.example', 'https://192.168.1.66:8443', `${url}@evil.example`]) {
      const request = { device_id: await controller.deviceId(), public_key: 'B', return_to };
      await page.goto(`${bridgeUrl}/technician?${new URLSearchParams(request).toString()}`);
      await page.getByRole('alert').filter({ hasText: 'Do not sign in there' }).waitFor();
      expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
      await page.getByRole('link', { name: url }).waitFor();
    }
    await checkScreen(page, 'unknown-address');
    await technician.press('Cancel');
    expect(page.url()).toBe(`${bridgeUrl}/technician`);
  });

  it('reads a claim ticket from a QR code with the camera', { tags: ['slow'] }, async () => {
    const ticket = await controller.ticket();
    writeQrVideo(`${controller.url}/#ticket=${ticket}`, video);
    const technician = await TechnicianPageDriver.openWithPass(cameraBrowser, phone, controller);
    const { page } = technician;
    await page.getByRole('link', { name: 'Claim the controller' }).click();
    await page.getByText('Transferring this controller?').click();
    await technician.press('Claim again');
    await technician.press('Scan a QR code');
    await expect.poll(() => page.getByRole('textbox', { name: 'Claim ticket' }).inputValue()).toContain(ticket);
    await page.getByRole('dialog', { name: 'Scan a QR code' }).waitFor({ state: 'detached' });
  });

  it('warns of a certificate that differs from the label', { tags: ['slow'] }, async () => {
    const technician = await TechnicianPageDriver.open(browser, phone, controller.url, `#fp=${'AB:'.repeat(31)}AB`);
    await technician.text('Stop: this is another controller').waitFor();
    await checkScreen(technician.page);
  });

  it('shows the lockout after five wrong setup codes, also for the right one', { tags: ['slow'] }, async () => {
    // A claimed controller accepts its setup code only after its button was pressed.
    await controller.device.parts({ press: 'setup_button' });
    const technician = await TechnicianPageDriver.open(browser, phone, controller.url);
    const { page } = technician;
    for (let tries = 0; tries < 5; tries++) {
      await page.getByLabel('Setup code on the label').fill('0000 0000 0000');
      await technician.press('Sign in');
      await technician.text('Wrong setup code.').waitFor();
    }
    await page.getByLabel('Setup code on the label').fill(controller.setupCode);
    await technician.press('Sign in');
    await page.getByRole('button', { name: /^Wait 0:[23]\d$/ }).waitFor();
    await technician.text('Too many wrong setup codes').waitFor();
    await checkScreen(technician.page);
  });
});
