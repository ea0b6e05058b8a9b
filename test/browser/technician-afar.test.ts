import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { TechnicianPage } from '../support/technician/technician-page.ts';
import { VisitedController } from '../support/technician/visited-controller.ts';

const part = { command: 'chromium', install: 'apt-get install chromium' };
const home = join(import.meta.dirname, '../..');

describe('the same page through the bridge in Chromium', () => {
  let browser: Browser;
  let house: VisitedController;

  beforeEach(context => requirePart(context, part));
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(home, 'console/build.ts')]);
    house = await VisitedController.claimed();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  }, 30_000);

  const visit = async (): Promise<TechnicianPage> => {
    browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    const context = await browser.newContext({
      locale: 'en-GB',
      reducedMotion: 'reduce',
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    });
    const [name, value] = house.tina.headers['cookie']!.split('=');
    await context.addCookies([{ name: name!, value: value!, url: house.bridgeUrl }]);
    return TechnicianPage.open(context, house.bridgeUrl, 'technician');
  };

  const lookAt = async (technician: TechnicianPage): Promise<void> => {
    expect(await technician.fitsWidth()).toBe(true);
    expect(await technician.problems()).toEqual([]);
  };

  it('lists the controllers, and works on one as at the door, without what needs somebody there', async () => {
    const technician = await visit();
    const { page } = technician;
    await page.getByRole('heading', { name: 'Controllers' }).waitFor();
    await page.getByText('For a visit without a line').click();
    await technician.act('Technician pass');
    expect(await page.getByRole('link', { name: /on its own network/ }).getAttribute('href')).toMatch(
      /^https:\/\/lintel-[0-9a-f]{4}\.local:\d+\/#pass=/,
    );
    await technician.act('Claim ticket');
    await page.getByRole('button', { name: 'Claim ticket: Copy' }).waitFor();
    await lookAt(technician);
    await page
      .getByRole('link', { name: /^Back door/ })
      .first()
      .click();
    await technician.inside();
    await technician.text('Through the bridge').waitFor();
    await technician.text('This visit').waitFor();
    await lookAt(technician);
    const menu = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(menu.map(words => words.trim())).toEqual(['Overview', 'Rules', 'Live', 'Tests', 'Report']);
    await technician.goTo('Live');
    await house.device.type('5');
    await technician.text('Key • at main').waitFor();
    await technician.goTo('Rules');
    await technician.addRule('4', 'Light');
    await technician.act('Apply');
    await technician.act('Keep the new rules');
    await page.getByRole('timer').waitFor({ state: 'detached' });
    await house.until(async () => {
      const device = await house.client.done('GET', `/devices/${await house.deviceId()}`);
      return JSON.stringify(device['input_rules']).includes('"4"');
    }, 'the rule at the desk');
    await technician.goTo('Tests');
    expect(await page.getByRole('button', { name: /Read a card/ }).count()).toBe(0);
    await technician.act('Light: On');
    await technician.text('Done. Did it move?').waitFor();
    await technician.goTo('Report');
    await page.getByRole('article', { name: 'Hand-over report' }).waitFor();
    await lookAt(technician);
    expect(technician.complaints).toEqual([]);
    expect(technician.strangers).toEqual([]);
    await page.context().close();
  }, 90_000);

  it('keeps an edit while the controller cannot be reached, and says so', async () => {
    const technician = await visit();
    const { page } = technician;
    await page
      .getByRole('link', { name: /^Back door/ })
      .first()
      .click();
    await technician.inside();
    await technician.goTo('Rules');
    await technician.addRule('6', 'Blind', 'Up');
    house.line.cut();
    await page.getByRole('status').filter({ hasText: 'No answer' }).waitFor({ timeout: 45_000 });
    await technician.act('Apply');
    await page.getByRole('alert').filter({ hasText: 'not reachable' }).waitFor();
    house.line.restore();
    await technician.inside();
    await technician.rule('6').waitFor();
    await technician.act('Apply');
    await technician.act('Keep the new rules');
    await page.getByRole('timer').waitFor({ state: 'detached' });
    await page.context().close();
  }, 120_000);
});
