import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { TechnicianClient } from '../support/technician/technician-client.ts';
import { TechnicianPage } from '../support/technician/technician-page.ts';
import { VisitedController } from '../support/technician/visited-controller.ts';

const part = { command: 'chromium', install: 'apt-get install chromium' };
const home = join(import.meta.dirname, '../..');
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
let house: VisitedController;
let technician: TechnicianPage;

const visit = async (options: BrowserContextOptions = phone): Promise<TechnicianPage> => {
  browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true });
  const opened = await TechnicianPage.open(context, house.url, `#pass=${await house.pass()}`);
  await opened.inside();
  await opened.goTo('Rules');
  await opened.page.getByRole('heading', { name: 'Input rules' }).waitFor();
  return opened;
};

const lookAt = async (seen: TechnicianPage): Promise<void> => {
  expect(await seen.fitsWidth()).toBe(true);
  expect(await seen.problems()).toEqual([]);
};

const rules = async () => {
  const { body } = await (await house.phone()).ask('GET', '/input_rules');
  return (body['input_rules'] as unknown as readonly { readonly code: string }[]).map(({ code }) => code);
};

/** In force for good, by somebody else. */
const set = async (...codes: readonly string[]): Promise<void> => {
  const gadget_id = await house.gadgetId('Door');
  const input_rules = codes.map(code => ({ code, gadget_id, action_id: 'open' }));
  expect((await (await house.phone()).ask('PUT', '/input_rules', { body: { input_rules } })).status).toBe(200);
};

const keep = async ({ page }: TechnicianPage): Promise<void> => {
  await page.getByRole('button', { name: 'Keep the new rules' }).click();
  await page.getByRole('timer').waitFor({ state: 'detached' });
};

describe('input rules in Chromium', () => {
  beforeEach(context => requirePart(context, part));
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(home, 'console/build.ts')]);
    house = await VisitedController.claimed();
  }, 60_000);
  afterEach(async () => {
    const { complaints, strangers } = technician;
    if (complaints.length + strangers.length > 0) throw new Error([...complaints, ...strangers].join('\n'));
    for (const context of browser?.contexts() ?? []) await context.close();
  }, 30_000);
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  }, 30_000);

  it('take the pass out of the address before anything is asked', async () => {
    technician = await visit();
    expect(technician.page.url()).not.toContain('pass=');
    await technician.page.goBack().catch(() => null);
    expect(technician.page.url()).not.toContain('pass=');
  });

  it('show a conflict at both codes, with a way out that works, and letters as what they are', async () => {
    await set();
    technician = await visit();
    const { page } = technician;
    await technician.addRule('1', 'Door');
    await technician.act('Add a rule');
    await technician.fillRule('12', 'Light');
    await technician.text('12 begins with 1: it could never be typed to its end.').waitFor();
    await technician.text('1 is the beginning of 12: 12 could never be typed.').waitFor();
    await lookAt(technician);
    expect(await page.getByRole('button', { name: 'Apply' }).getAttribute('aria-disabled')).toBe('true');
    const wayOut = page.locator('.rule-editor').getByRole('button', { name: /^Use \d+$/ });
    const instead = (await wayOut.innerText()).replace('Use ', '');
    await wayOut.click();
    expect(await page.locator('.rule[data-is-wrong]').count()).toBe(0);
    await technician.fillRule('door', 'Light');
    await technician.text('Only the keys 0–9, * and # can be typed.').waitFor();
    await technician.fillRule('', 'Light');
    await technician.text(/Beside a default rule, codes have to start with \* or #; 1 does not/).waitFor();
    await technician.text('Beside a default rule, a code has to start with * or #.').waitFor();
    await technician.fillRule('*9', 'Light');
    await technician.act('Done');
    await technician.act('Undo');
    await technician.rule(instead).waitFor();
    await technician.act('Redo');
    await technician.rule('*9').waitFor();
    await technician.act('Apply');
    await keep(technician);
    expect(await rules()).toEqual(['1', '*9']);
  }, 60_000);

  it('light up as keys are pressed on the screen and at the door', async () => {
    await set('1', '23');
    technician = await visit(desktop);
    const { page } = technician;
    await technician.rule('23').waitFor();
    const keypad = page.getByRole('group', { name: 'Keypad preview' });
    const press = (name: string) => keypad.getByRole('button', { name, exact: true }).click();
    await press('2');
    await keypad.getByText('2: 1 rule is still possible').waitFor();
    expect(await page.locator('.rule-line[data-is-lit]').allInnerTexts()).toEqual([
      expect.stringContaining('23') as unknown,
    ]);
    await press('3');
    await keypad.getByText('Opens Door. Now a PIN or a card.').waitFor();
    await press('Card');
    await keypad.getByText('Opens Door: the card would be checked now.').waitFor();
    await press('9');
    await keypad.getByText('everything typed is dropped').waitFor();
    await house.device.type('1');
    await technician.text('Opens Door: waits for a PIN or a card').waitFor();
    await house.device.type('*');
    await technician.text('Keypad main').waitFor();
    await lookAt(technician);
  }, 60_000);

  it('go back by themselves unless somebody keeps them, and the edit is not lost', async () => {
    await set('1');
    technician = await visit();
    const { page } = technician;
    await page.route('**/input_rules', async route => {
      const body = route.request().method() === 'PUT' ? (route.request().postDataJSON() as object) : null;
      if (body === null) return route.continue();
      expect(body).toMatchObject({ confirm_within_s: 120 });
      return route.continue({ postData: JSON.stringify({ ...body, confirm_within_s: 10 }) });
    });
    await technician.rule('1').waitFor();
    await technician.addRule('2', 'Light');
    await technician.act('Apply');
    await page.getByRole('timer').filter({ hasText: '0:' }).waitFor();
    expect(await rules()).toEqual(['1', '2']);
    await technician.goTo('Live');
    await page.getByRole('timer').waitFor();
    await page.reload();
    await page.getByRole('timer').waitFor({ state: 'detached', timeout: 20_000 });
    await technician.text('Nobody kept the new rules').waitFor();
    expect(await rules()).toEqual(['1']);
    await technician.goTo('Rules');
    await technician.text('Not applied yet').waitFor();
    await technician.rule('2').waitFor();
  }, 60_000);

  it('keep what is typed over a restart of the controller, from which the page recovers by itself', async () => {
    await set('1');
    technician = await visit();
    const { page } = technician;
    await technician.rule('1').waitFor();
    await technician.act('Add a rule');
    await technician.fillRule('77', 'Light');
    await house.stop('SIGKILL');
    await page.getByRole('status').filter({ hasText: 'No answer' }).waitFor();
    expect(await page.getByLabel('Code before the PIN or card').inputValue()).toBe('77');
    await technician.act('Done');
    await technician.act('Apply');
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
    await house.start();
    await technician.inside();
    await technician.rule('77').waitFor();
    await technician.act('Apply');
    await keep(technician);
    expect(await rules()).toEqual(['1', '77']);
  }, 60_000);

  it('keep what is typed over a session that ends in the middle of it', async () => {
    await set('1');
    technician = await visit();
    const { page } = technician;
    await technician.rule('1').waitFor();
    await technician.act('Add a rule');
    await technician.fillRule('88', 'Light');
    await page.reload();
    await technician.rule('88').waitFor();
    await technician.rule('88').click();
    const [cookie] = await page.context().cookies();
    const other = new TechnicianClient(house.url);
    other.token = cookie!.value;
    expect((await other.ask('POST', '/logout', { body: {} })).status).toBe(200);
    await page.getByLabel('Code before the PIN or card').fill('89');
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.waitFor();
    await lookAt(technician);
    await dialog.getByLabel('Technician pass').fill(await house.pass());
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Code before the PIN or card').inputValue()).toBe('89');
    await technician.act('Done');
    await technician.act('Apply');
    await keep(technician);
    expect(await rules()).toEqual(['1', '89']);
  }, 60_000);

  it('of two technicians at once are shown to the second, who puts them together', async () => {
    await set('1', '2');
    technician = await visit();
    const other = await visit(desktop);
    await technician.rule('1').waitFor();
    await technician.addRule('7', 'Light');
    await other.rule('2').click();
    await other.act('Delete');
    await other.addRule('8', 'Blind');
    await other.act('Apply');
    await keep(other);
    await technician.text('Somebody else changed the rules meanwhile').waitFor();
    await lookAt(technician);
    await technician.act('Put both together');
    await technician.text('Somebody else changed the rules meanwhile').waitFor({ state: 'detached' });
    await technician.act('Apply');
    await keep(technician);
    expect(await rules()).toEqual(['1', '8', '7']);
    await other.rule('7').waitFor();
  }, 60_000);

  it('that met those of the desk are shown side by side until somebody chooses', async () => {
    await set('1');
    technician = await visit(desktop);
    const { page } = technician;
    await technician.rule('1').waitFor();
    await house.until(async () => {
      const { body } = await (await house.phone()).ask('GET', '/input_rules');
      return body['pending'] === false;
    }, 'rules that the desk knows');
    house.line.cut();
    await technician.addRule('5', 'Light');
    await technician.act('Apply');
    await keep(technician);
    await technician.text('In force here, not yet in the cloud').waitFor();
    await lookAt(technician);
    const gadget_id = await house.gadgetId('Blind');
    const desk = { input_rules: [{ code: '9', gadget_id, action_id: 'up' }] };
    await house.tina.done('PUT', `/devices/${await house.deviceId()}/input_rules`, desk);
    house.line.restore();
    await technician.text('The desk changed these rules, too').waitFor({ timeout: 30_000 });
    const shown = page.getByRole('alert', { name: 'The desk changed these rules, too' });
    await shown.getByText('Typing 5 and then a PIN or a card switches on Light').waitFor();
    await shown.getByText('Typing 9 and then').waitFor();
    await lookAt(technician);
    await technician.act('Use mine');
    await shown.waitFor({ state: 'detached' });
    await house.until(async () => (await rules()).join() === '1,5', 'the chosen rules');
    await technician.text('In force here, not yet in the cloud').waitFor({ state: 'detached' });
  }, 90_000);

  it('stay quick with two hundred of them, come from a file and go into one', async () => {
    await set();
    technician = await visit();
    const { page } = technician;
    const gadget_id = await house.gadgetId('Door');
    const input_rules = Array.from({ length: 200 }, (_, index) => ({
      code: String(100 + index),
      gadget_id,
      action_id: 'open',
    }));
    const file = join(mkdtempSync(join(tmpdir(), 'lintel-rules-')), 'rules.json');
    writeFileSync(file, JSON.stringify({ input_rules }));
    await page.locator('input[type="file"]').setInputFiles(file);
    await technician.text('200 rules read').waitFor();
    await technician.rule('299').click();
    await page.getByLabel('Code before the PIN or card').press('End');
    const before = performance.now();
    await page.getByLabel('Code before the PIN or card').pressSequentially('4567890');
    expect((performance.now() - before) / 7).toBeLessThan(500);
    await technician.act('Done');
    await page.getByLabel('Find a rule').fill('2994567890');
    await expect.poll(() => page.locator('.rule-line').count()).toBe(1);
    await page.getByLabel('Find a rule').fill('');
    await lookAt(technician);
    const [saved] = await Promise.all([page.waitForEvent('download'), technician.act('Export')]);
    const read = JSON.parse(await readFile(await saved.path(), 'utf8')) as { input_rules: readonly { code: string }[] };
    expect(read.input_rules).toHaveLength(200);
    expect(read.input_rules.at(-1)!.code).toBe('2994567890');
    await technician.act('Apply');
    await keep(technician);
    expect(await rules()).toHaveLength(200);
    writeFileSync(file, 'not JSON');
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByRole('alert').filter({ hasText: 'it is not JSON' }).waitFor();
  }, 90_000);
});
