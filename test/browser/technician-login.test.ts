import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPages } from '../support/browser/built-pages.ts';
import { checkScreen, expectToFit } from '../support/browser/page-checks.ts';
import { writeQrVideo } from '../support/browser/qr-video.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { ControllerWithBridge } from '../support/technician/controller-with-bridge.ts';

describe('technician login', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-video-'));
  const video = join(folder, 'pass.y4m');
  const browser = useBrowser();
  const cameraBrowser = useBrowser(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  );
  let controller: ControllerWithBridge;

  beforeAll(async () => {
    await buildPages();
    controller = await ControllerWithBridge.createClaimed();
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    await controller?.close();
    rmSync(folder, { recursive: true, force: true });
  }, HOOK_TIMEOUT);

  it('opens a controller through the bridge', async () => {
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

  it('removes the pass from the address and the history', async () => {
    const technician = await TechnicianPageDriver.open(
      browser,
      phone,
      controller.url,
      `#pass=${await controller.pass()}`,
    );
    const { page } = technician;
    await technician.connected();
    expect(page.url()).not.toContain('pass=');
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain('pass=');
  });

  it('logs in with a pass that the camera reads from a QR code', { tags: ['slow'] }, async () => {
    writeQrVideo(`${controller.url}/#pass=${await controller.pass()}`, video);
    const technician = await TechnicianPageDriver.open(cameraBrowser, phone, controller.url);
    const { page } = technician;
    await technician.press('Scan a QR code');
    await page.getByRole('dialog', { name: 'Scan a QR code' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Technician pass').inputValue()).toContain('#pass=');
    await technician.press('Sign in');
    await technician.connected();
  });

  it('warns of a certificate that differs from the label', async () => {
    const technician = await TechnicianPageDriver.open(browser, phone, controller.url, `#fp=${'AB:'.repeat(31)}AB`);
    await technician.text('Stop: this is another controller').waitFor();
    await checkScreen(technician.page);
  });

  it('shows the lockout after five wrong setup codes, also for the right one', async () => {
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
