import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkScreen, keepScreenshot, textProblemsIn } from '../support/browser/page-checks.ts';
import { SimulatorPageDriver } from '../support/browser/simulator-page-driver.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { DemoProcess } from '../support/processes/demo-process.ts';

const slow = { tags: ['slow'] };

describe('tour of the simulator page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-tour-'));
  const browser = useBrowser();
  let demo: DemoProcess;

  beforeAll(async () => {
    demo = await DemoProcess.start(folder);
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    await demo?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, HOOK_TIMEOUT);

  const open = (options: BrowserContextOptions, hasTour = false): Promise<SimulatorPageDriver> =>
    SimulatorPageDriver.open(browser, options, demo.addresses.page, 'installed', hasTour);

  const walk = async (options: BrowserContextOptions): Promise<void> => {
    const simulator = await open(options, true);
    const { page } = simulator;
    const tour = page.getByRole('region', { name: 'Lintel in three steps' });
    const press = async (name: string): Promise<void> => {
      await tour.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
    };
    const current = (step: string) => page.locator('.tour [aria-current="step"]').filter({ hasText: step }).waitFor();
    await current('Open a door');
    await tour.getByText(`Type ${demo.addresses.pin} at the front door`).waitFor();
    await keepScreenshot(page, 'simulator-tour');
    await press('Type the PIN for me');
    await current('Cut the internet');
    await press('Cut the internet now');
    await press('Type the PIN for me');
    await current('Watch the event arrive');
    await press('Restore the internet');
    const done = page.getByRole('region', { name: 'That is how Lintel works' });
    await done.waitFor();
    expect(await simulator.shifts()).toEqual([]);
    await checkScreen(page, 'simulator-tour-done');
    await done.getByRole('button', { name: 'End the tour' }).click();
    await done.waitFor({ state: 'detached' });
    await page.reload();
    await simulator.door('Front door').waitFor();
    expect(await page.locator('.tour').count()).toBe(0);
  };
  it('leads through three steps with the keyboard and is remembered', slow, () => walk(desktop));
  it('leads through three steps on a phone', slow, () => walk(phone));

  it('can be skipped', slow, async () => {
    const { page } = await open(desktop, true);
    await page.getByRole('button', { name: 'End the tour' }).click();
    await page.reload();
    await page.getByRole('main').waitFor();
    expect(await page.locator('.tour').count()).toBe(0);
  });

  it('shows hints that follow the edited input rules', slow, async () => {
    const { page: pageUrl, http, organization_id, console: consoleLink } = demo.addresses;
    expect(new URL(consoleLink).origin).toBe(pageUrl);
    const { headers } = await fetch(consoleLink, { redirect: 'manual' });
    const cookie = headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; ');
    const session = (await (await fetch(`${http}/admin/v1/session`, { headers: { cookie } })).json()) as {
      csrf_token: string;
    };
    const { device_id } = await demo.controller('front');
    const rulesUrl = `${http}/admin/v1/organizations/${organization_id}/devices/${device_id}/input_rules`;
    const rules = (await (await fetch(rulesUrl, { headers: { cookie } })).json()) as {
      base: string;
      input_rules: { code: string }[];
    };
    const simulator = await open(desktop);
    await simulator.door('Garage').click();
    await simulator.page.locator('.how', { hasText: 'Type *1, then type a PIN' }).waitFor();
    const input_rules = rules.input_rules.map(rule => (rule.code === '*1' ? { ...rule, code: '*77' } : rule));
    const response = await fetch(rulesUrl, {
      method: 'PUT',
      headers: { cookie, 'x-csrf-token': session.csrf_token, 'content-type': 'application/json' },
      body: JSON.stringify({ input_rules, base: rules.base }),
    });
    expect(response.status).toBe(200);
    await simulator.page.locator('.how', { hasText: 'Type *77, then type a PIN' }).waitFor();
    await simulator.choosePerson('Ann Berg');
    await simulator.pressButton('Type PIN');
    await simulator.waitUntilOpened('Garage');
  });

  it.each([360, 1024, 1280, 1920])('has no text that is cut off or covered, %i pixels wide', slow, async width => {
    const simulator = await open({ ...desktop, viewport: { width, height: 1000 } });
    const { page } = simulator;
    await simulator.choosePerson('Bao Tran');
    await simulator.selectDoor('Room 101');
    await simulator.pressButton('Type PIN');
    await simulator
      .event(/Room 101 .*Bao Tran/)
      .first()
      .waitFor();
    await page.getByRole('group', { name: 'Show' }).getByText('All', { exact: true }).click();
    await keepScreenshot(page, 'simulator-texts');
    expect(await textProblemsIn(page, '.activity-row, .fault-group, .tour, .person-at-door, .door-states')).toEqual([]);
  });
});
