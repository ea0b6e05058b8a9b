import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { builtPages } from '../support/browser/built-pages.ts';
import { checkScreen, keepScreenshot, textProblemsIn } from '../support/browser/page-checks.ts';
import { smallPng } from '../support/browser/pictures.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { ControllerWithBridge } from '../support/technician/controller-with-bridge.ts';

const images = join(import.meta.dirname, '../../docs/images');
const LARGEST_PAGE = 69_000;
const LARGEST_PICTURE = 200 * 1024;
const isUpdated = process.env['UPDATE_SCREENSHOTS'] === '1';
/** In docs/technician/technician-page.md. */
const pictures = ['waiting-phone', 'rules-desktop', 'trial-phone', 'tests-phone', 'report-desktop', 'overview-phone'];
const slow = { tags: ['slow'] };
/** The printable area of A4 in CSS pixels, with the margins of the report. */
const a4Paper = { width: 680, height: 1001 };

const checkAndPicture = async (page: Page, screen?: string): Promise<void> => {
  await checkScreen(page, screen);
  const name = `${screen}-${page.viewportSize()!.width < 600 ? 'phone' : 'desktop'}`;
  if (!isUpdated || !pictures.includes(name)) return;
  const picture = smallPng(await page.screenshot());
  expect(picture.length).toBeLessThan(LARGEST_PICTURE);
  writeFileSync(join(images, `technician-${name}.png`), picture);
};

const configure = async (technician: TechnicianPageDriver, { device }: ControllerWithBridge): Promise<void> => {
  const { page } = technician;
  await technician.goTo('Rules');
  await technician.text('A PIN or card runs the first action of Door.').waitFor();
  await checkAndPicture(page);
  await technician.addRule('1', 'Door');
  await technician.addRule('2', 'Light');
  await checkAndPicture(page, 'rules');
  await technician.press('Apply');
  await page.getByRole('timer').waitFor();
  await checkAndPicture(page, 'trial');
  await technician.press('Keep');
  await page.getByRole('timer').waitFor({ state: 'detached' });

  await technician.goTo('Try');
  // The setup code has ended with the claim.
  await technician.press('Create a PIN');
  await technician.text('Press its setup button and try again').waitFor();
  await device.parts({ press: 'setup_button' });
  await technician.press('Create a PIN');
  const pin = await page.locator('.pin').innerText();
  await device.type(`1${pin}`);
  await technician.text('Used 1 time').waitFor();
  await technician.press('Keypad rule: Door, Open: Pass');
  await checkAndPicture(page);

  await technician.goTo('Live');
  const events = page.getByRole('list', { name: 'Live' }).getByRole('listitem');
  await events.filter({ hasText: 'Granted: Door, Open' }).first().waitFor();
  await page
    .getByText(/\d keys, inputs and outputs/)
    .first()
    .waitFor();
  expect((await events.allInnerTexts()).join(' ')).not.toMatch(/Key •|pass_/);
  expect((await events.allInnerTexts()).join(' ')).not.toContain(pin);
  await checkAndPicture(page, 'live');
};

const testAndReport = async (technician: TechnicianPageDriver, { device }: ControllerWithBridge): Promise<void> => {
  const { page } = technician;
  await technician.goTo('Tests');
  await page.getByRole('region', { name: 'Test 1 of 18' }).waitFor();
  const works = page.getByRole('button', { name: 'Door: Open: Works, next' });
  await technician.text('Run the test first.').waitFor();
  expect(await works.getAttribute('aria-disabled')).toBe('true');
  await technician.press('Door: Open');
  await technician.press('Door: Open: Works, next');
  await page.getByRole('region', { name: 'Test 2 of 18' }).waitFor();
  await technician.press('Show all tests');
  await page.locator('.test[data-result="passed"]').waitFor();
  await technician.press('Reader main: Read a card');
  await technician.text(/Present a card/).waitFor();
  await device.parts({ card: '04a1b2c3d4e5f6' });
  await page.locator('.uid', { hasText: '04a1b2c3d4e5f6' }).waitFor();
  await technician.press('Reader main: Pass');
  await technician.press('Lights and buzzer main: Granted');
  await technician.press('Lights and buzzer main: Fail');
  await page.getByLabel('Note on Lights and buzzer main').fill('the green light is dark');
  await page.getByLabel('Note on Lights and buzzer main').blur();
  await device.type('5');
  await page.locator('.typed-keys', { hasText: '•' }).waitFor();
  await technician.text('3 of 18 done').waitFor();
  await technician.press('Run the self-test');
  await technician.text(/^\d+ checks passed, \d+ failed, \d+ not run/).waitFor();
  await checkAndPicture(page, 'tests');

  await technician.goTo('Report');
  const sheet = page.getByRole('article', { name: 'Installation report' });
  for (const text of [
    'Back door',
    'Code 1 followed by a PIN or card opens Door',
    'Code 2 followed by a PIN or card switches on Light',
    'the green light is dark',
    'Keypad rule: Door, Open',
    'Signal of reader main',
    'Wiring as configured',
    'Last sync',
    'Certificate of this page',
  ]) {
    await sheet.getByText(text).first().waitFor();
  }
  expect(await sheet.innerText()).not.toContain('04a1b2c3d4e5f6');
  await checkAndPicture(page, 'report');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await sheet.isVisible()).toBe(true);
  const screenSize = page.viewportSize()!;
  await page.setViewportSize(a4Paper);
  await keepScreenshot(page, 'report-a4');
  expect(await textProblemsIn(page, '.report-sheet')).toEqual([]);
  expect(await sheet.innerText()).not.toMatch(/\b[a-z]+_[0-9a-z]{26}\b/);
  await page.setViewportSize(screenSize);
  await page.emulateMedia({ media: 'screen' });
};

describe('technician page', () => {
  const browser = useBrowser();
  let controller: ControllerWithBridge | null = null;

  afterEach(async () => {
    await controller?.close();
    controller = null;
  }, HOOK_TIMEOUT);

  it('leads from the label to the report on a phone that claims before the bridge is reachable', {
    ...slow,
    timeout: 300_000,
  }, async () => {
    controller = await ControllerWithBridge.create();
    await controller.start();
    const label = `#code=${controller.setupCode}&fp=${controller.device.ready['technician_fingerprint']}`;
    const technician = await TechnicianPageDriver.open(browser, phone, controller.url, label);
    const { page } = technician;
    await technician.connected();
    expect(page.url()).not.toContain(controller.setupCode);
    await technician.text('Installation steps').waitFor();
    await checkAndPicture(page, 'unclaimed');

    await technician.goTo('Claim');
    await technician.text('Simulated controller').waitFor();
    await page
      .getByRole('textbox', { name: 'Claim ticket' })
      .fill(`https://bridge.example/#ticket=${await controller.ticket()}`);
    await technician.text('Creates a new device').waitFor();
    await page.getByLabel('Device name').fill('Back door');
    await checkAndPicture(page, 'claim');
    await technician.press('Claim');
    await technician.text('The claim completes when the controller is online').waitFor();
    await technician.text(/Last attempt: .*(cannot be reached|not reachable)/).waitFor();
    await checkAndPicture(page, 'waiting');
    await technician.goTo('Live');
    await controller.device.type('7*');
    await page
      .getByText(/\d keys, inputs and outputs/)
      .first()
      .click();
    await technician.text('Key • at main').waitFor();
    await technician.goTo('Claim');
    await technician.text('The claim completes when the controller is online').waitFor();
    await controller.connectBridge();
    await page.getByRole('heading', { name: 'Claimed' }).waitFor();
    await checkAndPicture(page);
    expect(await controller.client.callOk('GET', `/devices/${await controller.deviceId()}`)).toMatchObject({
      name: 'Back door',
    });

    await configure(technician, controller);
    await testAndReport(technician, controller);
    await technician.goTo('Overview');
    await technician.text('2 input rules').waitFor();
    await checkAndPicture(page, 'overview');
    await page.goBack();
    await page.getByRole('article', { name: 'Installation report' }).waitFor();
  });

  it('leads from the login to the report with the keyboard on a desktop', slow, async () => {
    controller = await ControllerWithBridge.create();
    await controller.connectBridge();
    await controller.start();
    const technician = await TechnicianPageDriver.open(browser, desktop, controller.url);
    const { page } = technician;
    const code = page.getByLabel('Setup code on the label');
    await code.waitFor();
    await checkAndPicture(page);
    await code.focus();
    await page.keyboard.type(controller.setupCode.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'));
    await page.keyboard.press('Enter');
    await technician.connected();
    await page.getByRole('link', { name: 'Claim the controller' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Claim ticket' }).fill(await controller.ticket());
    await page.getByLabel('Device name').focus();
    await page.keyboard.type('Back door');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Claimed' }).waitFor();
    await checkAndPicture(page);
    await configure(technician, controller);
    await testAndReport(technician, controller);
  });

  it('is one file within its size limit', () => {
    const page = readFileSync(join(builtPages, 'technician.html'));
    expect(gzipSync(page).length).toBeLessThan(LARGEST_PAGE);
    expect(page.toString()).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?!data:)/);
    expect(page.toString()).not.toContain('serviceWorker');
  });
});
