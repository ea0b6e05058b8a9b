import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { smallPng } from '../support/browser/small-png.ts';
import { TechnicianPage } from '../support/technician/technician-page.ts';
import { VisitedController } from '../support/technician/visited-controller.ts';

const part = { command: 'chromium', install: 'apt-get install chromium' };
const home = join(import.meta.dirname, '../..');
const images = join(home, 'docs/images');
const LARGEST_PAGE = 60_000;
const LARGEST_PICTURE = 200 * 1024;
const isKept = process.env['UPDATE_SCREENSHOTS'] === '1';
/** Of docs/technician.md. */
const pictures = ['waiting-phone', 'rules-desktop', 'trial-phone', 'tests-phone', 'report-desktop', 'overview-phone'];

const desktop: BrowserContextOptions = {
  locale: 'en-GB',
  reducedMotion: 'reduce',
  viewport: { width: 1280, height: 800 },
};
const phone: BrowserContextOptions = {
  locale: 'en-GB',
  reducedMotion: 'reduce',
  viewport: { width: 360, height: 740 },
  hasTouch: true,
};

let browser: Browser | null = null;
let house: VisitedController | null = null;

const visit = async (options: BrowserContextOptions, fragment = ''): Promise<TechnicianPage> => {
  browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true });
  return TechnicianPage.open(context, house!.url, fragment);
};

/** As it is looked at: it fits, and axe has nothing to say. */
const lookAt = async (technician: TechnicianPage, picture?: string): Promise<void> => {
  const { page } = technician;
  expect(await technician.fitsWidth()).toBe(true);
  expect(await technician.problems()).toEqual([]);
  const name = `${picture}-${page.viewportSize()!.width < 600 ? 'phone' : 'desktop'}`;
  if (!isKept || !pictures.includes(name)) return;
  const taken = smallPng(await page.screenshot());
  expect(taken.length).toBeLessThan(LARGEST_PICTURE);
  writeFileSync(join(images, `technician-${name}.png`), taken);
};

const leave = async ({ page, complaints, strangers }: TechnicianPage): Promise<void> => {
  expect(complaints).toEqual([]);
  expect(strangers).toEqual([]);
  await page.context().close();
};

const work = async (technician: TechnicianPage): Promise<void> => {
  const { page } = technician;
  await technician.goTo('Rules');
  await technician.text('A PIN or a card does the first action of Door.').waitFor();
  await lookAt(technician);
  await technician.addRule('1', 'Door');
  await technician.addRule('2', 'Light');
  await lookAt(technician, 'rules');
  await technician.act('Apply');
  await page.getByRole('timer').waitFor();
  await lookAt(technician, 'trial');
  await technician.act('Keep the new rules');
  await page.getByRole('timer').waitFor({ state: 'detached' });

  await technician.goTo('Try');
  await technician.act('Make a PIN');
  const pin = await page.locator('.pin').innerText();
  await house!.device.type(`1${pin}`);
  await technician.text('Opened something 1 time').waitFor();
  await technician.act('From the keypad: Door, Open: Works');
  await lookAt(technician);

  await technician.goTo('Live');
  const told = page.getByRole('list', { name: 'Live' }).getByRole('listitem');
  await told.filter({ hasText: 'Granted: Door, Open' }).first().waitFor();
  expect((await told.allInnerTexts()).join(' ')).not.toContain(pin);
  await lookAt(technician, 'live');
};

const testAndHandOver = async (technician: TechnicianPage): Promise<void> => {
  const { page } = technician;
  await technician.goTo('Tests');
  await technician.act('Door: Open');
  await technician.act('Door: Open: Works');
  await page.locator('.test[data-result="passed"]').waitFor();
  await technician.act('Reader main: Read a card');
  await technician.text(/Hold a card/).waitFor();
  await house!.device.parts({ card: '04a1b2c3d4e5f6' });
  await page.locator('.uid', { hasText: '04a1b2c3d4e5f6' }).waitFor();
  await technician.act('Reader main: Works');
  await technician.act('Lights and buzzer main: Granted');
  await technician.act('Lights and buzzer main: Does not');
  await page.getByLabel('Note on Lights and buzzer main').fill('the green light is dark');
  await page.getByLabel('Note on Lights and buzzer main').blur();
  await house!.device.type('5');
  await page.locator('.typed-keys', { hasText: '•' }).waitFor();
  await technician.text('3 of 19 done').waitFor();
  await technician.act('Run the self-test');
  await technician.text(/^\d+ checks passed, \d+ failed/).waitFor();
  await lookAt(technician, 'tests');

  await technician.goTo('Report');
  const sheet = page.getByRole('article', { name: 'Hand-over report' });
  for (const words of [
    'Back door',
    'Typing 1 and then a PIN or a card opens Door',
    'Typing 2 and then a PIN or a card switches on Light',
    'the green light is dark',
    'From the keypad: Door, Open',
    'Signal of reader main',
    'Wiring as configured',
    'Last sync',
    'Certificate of this page',
  ]) {
    await sheet.getByText(words).first().waitFor();
  }
  expect(await sheet.innerText()).not.toContain('04a1b2c3d4e5f6');
  await lookAt(technician, 'report');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await sheet.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
};

describe('a first visit in Chromium', () => {
  beforeEach(context => requirePart(context, part));
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(home, 'console/build.ts')]);
  }, 60_000);
  afterEach(async () => {
    await house?.close();
    house = null;
  }, 30_000);
  afterAll(() => browser?.close());

  it('goes from the label to the report with a thumb, without a line at first', async () => {
    house = await VisitedController.arrange();
    await house.start();
    const label = `#code=${house.setupCode}&fp=${house.device.ready['technician_fingerprint']}`;
    const technician = await visit(phone, label);
    const { page } = technician;
    await technician.inside();
    expect(page.url()).not.toContain(house.setupCode);
    await technician.text('This visit').waitFor();
    await lookAt(technician, 'unclaimed');

    await technician.goTo('Claim');
    await technician.text('Simulated controller').waitFor();
    await page.getByRole('textbox', { name: 'Ticket' }).fill(`https://desk.example/#ticket=${await house.ticket()}`);
    await technician.text('Makes a new device').waitFor();
    await page.getByLabel('Name of the device').fill('Back door');
    await lookAt(technician, 'claim');
    await technician.act('Claim');
    await technician.text('Will complete when the line comes').waitFor();
    await technician.text(/Last try: .*cannot be reached/).waitFor();
    await lookAt(technician, 'waiting');
    await technician.goTo('Live');
    await house.device.type('7*');
    await technician.text('Key • at main').waitFor();
    await technician.goTo('Claim');
    await technician.text('Will complete when the line comes').waitFor();
    await house.connectBridge();
    await page.getByRole('heading', { name: 'Claimed' }).waitFor({ timeout: 30_000 });
    await lookAt(technician);
    expect(await house.client.done('GET', `/devices/${await house.deviceId()}`)).toMatchObject({ name: 'Back door' });

    await work(technician);
    await testAndHandOver(technician);
    await technician.goTo('Overview');
    await technician.text('2 input rules').waitFor();
    await lookAt(technician, 'overview');
    await page.goBack();
    await page.getByRole('article', { name: 'Hand-over report' }).waitFor();
    await leave(technician);
  }, 120_000);

  it('goes the same way at a desk with the keyboard, and with a line from the start', async () => {
    house = await VisitedController.arrange();
    await house.connectBridge();
    await house.start();
    const technician = await visit(desktop);
    const { page } = technician;
    const code = page.getByLabel('Setup code on the label');
    await code.waitFor();
    await lookAt(technician);
    await code.focus();
    await page.keyboard.type(house.setupCode.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'));
    await page.keyboard.press('Enter');
    await technician.inside();
    await page.getByRole('link', { name: 'Claim the controller' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Ticket' }).fill(await house.ticket());
    await page.getByLabel('Name of the device').focus();
    await page.keyboard.type('Back door');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Claimed' }).waitFor();
    await lookAt(technician);
    await work(technician);
    await testAndHandOver(technician);
    await leave(technician);
  }, 120_000);

  it('says how long to wait after too many wrong codes, and takes the right one for none of them', async () => {
    house = await VisitedController.arrange();
    await house.start();
    const technician = await visit(phone);
    const { page } = technician;
    for (let tries = 0; tries < 5; tries++) {
      await page.getByLabel('Setup code on the label').fill('0000 0000 0000');
      await technician.act('Log in');
      await technician.text('That is not the setup code of this controller.').waitFor();
    }
    await page.getByLabel('Setup code on the label').fill(house.setupCode);
    await technician.act('Log in');
    await page.getByRole('button', { name: /^Wait 0:[23]\d$/ }).waitFor();
    await technician.text('Too many wrong codes').waitFor();
    await lookAt(technician);
    await leave(technician);
  }, 60_000);

  it('warns of a certificate that is not the one of the label', async () => {
    house = await VisitedController.arrange();
    await house.start();
    const technician = await visit(phone, `#fp=${'AB:'.repeat(31)}AB`);
    await technician.text('Stop: this is another controller').waitFor();
    await lookAt(technician);
    await leave(technician);
  }, 60_000);

  it('is one file within its budget, with nothing from elsewhere', () => {
    const page = readFileSync(join(home, 'console/dist/technician.html'));
    expect(gzipSync(page).length).toBeLessThan(LARGEST_PAGE);
    expect(page.toString()).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?!data:)/);
    expect(page.toString()).not.toContain('serviceWorker');
  });
});
