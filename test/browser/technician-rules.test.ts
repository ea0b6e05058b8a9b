import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkScreen } from '../support/browser/page-checks.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { ControllerWithBridge } from '../support/technician/controller-with-bridge.ts';
import { TechnicianApiClient } from '../support/technician/technician-api-client.ts';

/** Collects the elements of rules that change from now on. */
const watchChangedRules = `
  globalThis.changedRules = new Set();
  new MutationObserver(changes => {
    for (const { target } of changes) {
      const rule = (target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement)?.closest('.rule');
      if (rule) changedRules.add(rule);
    }
  }).observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
`;

describe('rules screen', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let controller: ControllerWithBridge;

  beforeAll(async () => {
    controller = await ControllerWithBridge.createClaimed();
  }, HOOK_TIMEOUT);
  afterAll(() => controller?.close(), HOOK_TIMEOUT);

  const open = async (options = phone): Promise<TechnicianPageDriver> => {
    const technician = await TechnicianPageDriver.openWithPass(browser, options, controller);
    await technician.goTo('Rules');
    await technician.page.getByRole('heading', { name: 'Input rules' }).waitFor();
    return technician;
  };

  const currentCodes = async () => {
    const { body } = await (await controller.loginWithPass()).call('GET', '/input_rules');
    return (body['input_rules'] as unknown as readonly { readonly code: string }[]).map(({ code }) => code);
  };

  /** Replaces the rules without a browser and without a trial. */
  const setRules = async (...codes: readonly string[]): Promise<void> => {
    const gadget_id = await controller.gadgetId('Door');
    const input_rules = codes.map(code => ({ code, gadget_id, action_id: 'open' }));
    expect(
      (await (await controller.loginWithPass()).call('PUT', '/input_rules', { body: { input_rules } })).status,
    ).toBe(200);
  };

  it('shows a conflict at both codes with a correction that works, and rejects letters', async () => {
    await setRules();
    const technician = await open();
    const { page } = technician;
    await technician.addRule('1', 'Door');
    await technician.press('Add a rule');
    await technician.fillRule('12', 'Light');
    await technician.text('Code 12 can never be reached, because it starts with 1.').waitFor();
    await expect.poll(() => page.getByText('Code 12 can never be reached').count()).toBe(2);
    await checkScreen(technician.page);
    expect(await page.getByRole('button', { name: 'Apply' }).getAttribute('aria-disabled')).toBe('true');
    const correction = page.locator('.rule-editor').getByRole('button', { name: /^Use \d+$/ });
    const instead = (await correction.innerText()).replace('Use ', '');
    await correction.click();
    expect(await page.locator('.rule[data-is-wrong]').count()).toBe(0);
    await technician.fillRule('door', 'Light');
    await technician.text('Use only the keys 0–9, * and #.').waitFor();
    await technician.fillRule('', 'Light');
    await technician.text(/With a default rule, codes must start with \* or #\. Change code 1\./).waitFor();
    await technician.text(/With a default rule, codes must start with \* or #\. Suggestion/).waitFor();
    await technician.fillRule('*9', 'Light');
    await technician.press('Done');
    await technician.press('Undo');
    await technician.rule(instead).waitFor();
    await technician.press('Redo');
    await technician.rule('*9').waitFor();
    await technician.applyRules();
    expect(await currentCodes()).toEqual(['1', '*9']);
  });

  it('highlights rules as keys are pressed on the screen and at the door', async () => {
    await setRules('1', '23');
    const technician = await open(desktop);
    const { page } = technician;
    await technician.rule('23').waitFor();
    // An entry must not expire while the test looks at it.
    await page.evaluate('performance.now = () => 0');
    const keypad = page.getByRole('group', { name: 'Keypad preview' });
    const press = (name: string) => keypad.getByRole('button', { name, exact: true }).click();
    await press('2');
    await keypad.getByText('2: 1 rule matches').waitFor();
    expect(await page.locator('.rule-line[data-is-highlighted]').allInnerTexts()).toEqual([
      expect.stringContaining('23') as unknown,
    ]);
    await press('3');
    await keypad.getByText('Opens Door. Enter a PIN or present a card.').waitFor();
    await press('Card');
    await keypad.getByText('Opens Door: the card would be checked now.').waitFor();
    await press('9');
    await keypad.getByText('The entry was discarded').waitFor();
    // At the door an entry expires, on a busy machine before the page shows it.
    const isShownAtDoor = async (): Promise<boolean> => {
      await controller.device.type('*1');
      const shown = technician.text('Opens Door: waiting for a PIN or card').waitFor({ timeout: 5_000 });
      return shown.then(() => true).catch(() => false);
    };
    await expect.poll(isShownAtDoor).toBe(true);
    await controller.device.type('*');
    await technician.text('Keypad main').waitFor();
    await checkScreen(technician.page);
  });

  it('restores the previous rules without a confirmation, and keeps the edit as a draft', async () => {
    await setRules('1');
    const technician = await open();
    const { page } = technician;
    await page.route('**/input_rules', async route => {
      const body = route.request().method() === 'PUT' ? (route.request().postDataJSON() as object) : null;
      if (body === null) return route.continue();
      expect(body).toMatchObject({ confirm_within_s: 120 });
      return route.continue({ postData: JSON.stringify({ ...body, confirm_within_s: 10 }) });
    });
    await technician.rule('1').waitFor();
    await technician.addRule('2', 'Light');
    await technician.press('Apply');
    await page.getByRole('timer').filter({ hasText: '0:' }).waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    for (const name of ['Keep', 'Revert'])
      expect((await page.getByRole('button', { name, exact: true }).boundingBox())!.y).toBeGreaterThanOrEqual(0);
    expect(await currentCodes()).toEqual(['1', '2']);
    await technician.goTo('Live');
    await page.getByRole('timer').waitFor();
    await page.reload();
    await page.getByRole('timer').waitFor({ state: 'detached' });
    await technician.text('The new rules were not kept in time').waitFor();
    expect(await currentCodes()).toEqual(['1']);
    await technician.goTo('Rules');
    await technician.text('Not applied yet').waitFor();
    await technician.rule('2').waitFor();
  });

  it('keeps an edit and reconnects when the controller restarts', async () => {
    await setRules('1');
    const technician = await open();
    const { page } = technician;
    await technician.rule('1').waitFor();
    await technician.press('Add a rule');
    await technician.fillRule('77', 'Light');
    await controller.stop('SIGKILL');
    await page.getByRole('status').filter({ hasText: 'Connection lost' }).waitFor();
    expect(await page.getByLabel('Code before the PIN or card').inputValue()).toBe('77');
    await technician.press('Done');
    await technician.press('Apply');
    await page.getByRole('alert').filter({ hasText: 'does not respond' }).waitFor();
    await controller.start();
    await technician.connected();
    await technician.rule('77').waitFor();
    await technician.applyRules();
    expect(await currentCodes()).toEqual(['1', '77']);
  });

  it('keeps an edit when the session ends', async () => {
    await setRules('1');
    const technician = await open();
    const { page } = technician;
    await technician.rule('1').waitFor();
    await technician.press('Add a rule');
    await technician.fillRule('88', 'Light');
    await page.reload();
    await technician.rule('88').waitFor();
    await technician.rule('88').click();
    const cookies = await page.context().cookies();
    const other = new TechnicianApiClient(controller.url);
    other.token = cookies.find(({ name }) => name === '__Host-lintel_technician')!.value;
    expect((await other.call('POST', '/logout', { body: {} })).status).toBe(200);
    await page.getByLabel('Code before the PIN or card').fill('89');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await checkScreen(technician.page);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Code before the PIN or card').inputValue()).toBe('89');
    await technician.press('Done');
    await technician.applyRules();
    expect(await currentCodes()).toEqual(['1', '89']);
  });

  it('shows the changes of another technician, and merges them', async () => {
    await setRules('1', '2');
    const technician = await open();
    const other = await open(desktop);
    await technician.rule('1').waitFor();
    await technician.addRule('7', 'Light');
    await other.rule('2').click();
    await other.press('Delete');
    await other.addRule('8', 'Blind');
    await other.applyRules();
    await technician.text('The rules were changed by someone else').waitFor();
    await checkScreen(technician.page);
    await technician.press('Merge both');
    await technician.text('The rules were changed by someone else').waitFor({ state: 'detached' });
    await technician.applyRules();
    expect(await currentCodes()).toEqual(['1', '8', '7']);
    await other.rule('7').waitFor();
  });

  it('shows a conflict with rules of the bridge until the technician chooses', async () => {
    await setRules('1');
    const technician = await open(desktop);
    const { page } = technician;
    await technician.rule('1').waitFor();
    await controller.waitUntil('the bridge has the rules', async () => {
      const { body } = await (await controller.loginWithPass()).call('GET', '/input_rules');
      return body['pending'] === false;
    });
    controller.link.cut();
    await technician.addRule('5', 'Light');
    await technician.applyRules();
    await technician.text('Active here, not synced to the cloud yet').waitFor();
    await checkScreen(technician.page);
    const gadget_id = await controller.gadgetId('Blind');
    const cloudRules = { input_rules: [{ code: '9', gadget_id, action_id: 'up' }] };
    await controller.technician.callOk('PUT', `/devices/${await controller.deviceId()}/input_rules`, cloudRules);
    controller.link.restore();
    await technician.text('These rules were also changed in the cloud').waitFor();
    const shown = page.getByRole('alert', { name: 'These rules were also changed in the cloud' });
    await shown.getByText('Code 5 followed by a PIN or card switches on Light').waitFor();
    await shown.getByText('Code 9 followed by').waitFor();
    await checkScreen(technician.page);
    await technician.press('Use my rules');
    await shown.waitFor({ state: 'detached' });
    await controller.waitUntil('the chosen rules are active', async () => (await currentCodes()).join() === '1,5');
    await technician.text('Active here, not synced to the cloud yet').waitFor({ state: 'detached' });
  });

  it('imports, edits and exports two hundred rules, and changes only the edited rule while a code is typed', async () => {
    await setRules();
    const technician = await open();
    const { page } = technician;
    const gadget_id = await controller.gadgetId('Door');
    const input_rules = Array.from({ length: 200 }, (_, index) => ({
      code: String(100 + index),
      gadget_id,
      action_id: 'open',
    }));
    const file = join(mkdtempSync(join(tmpdir(), 'lintel-rules-')), 'rules.json');
    writeFileSync(file, JSON.stringify({ input_rules }));
    await page.locator('input[type="file"]').setInputFiles(file);
    await technician.text('200 rules imported').waitFor();
    await technician.rule('299').click();
    await page.getByLabel('Code before the PIN or card').press('End');
    await page.evaluate(watchChangedRules);
    await page.getByLabel('Code before the PIN or card').pressSequentially('4567890');
    await technician.press('Done');
    await technician.rule('2994567890').waitFor();
    expect(await page.evaluate('changedRules.size')).toBe(1);
    await page.getByLabel('Find a rule').fill('2994567890');
    await expect.poll(() => page.locator('.rule-line').count()).toBe(1);
    await page.getByLabel('Find a rule').fill('');
    await checkScreen(technician.page);
    const [saved] = await Promise.all([page.waitForEvent('download'), technician.press('Export')]);
    const read = JSON.parse(await readFile(await saved.path(), 'utf8')) as { input_rules: readonly { code: string }[] };
    expect(read.input_rules).toHaveLength(200);
    expect(read.input_rules.at(-1)!.code).toBe('2994567890');
    await technician.applyRules();
    expect(await currentCodes()).toHaveLength(200);
    writeFileSync(file, 'not JSON');
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByRole('alert').filter({ hasText: 'it is not valid JSON' }).waitFor();
  });

  it('copies rules to another controller by name, on trial, with a comparison, and undoes the copy', async () => {
    const own = await controller.deviceId();
    const side = await controller.claimSecond('Side entrance');
    const gadgetId = async (device: string, name: string) => {
      const { data } = await controller.client.callOk('GET', `/gadgets?device_id=${device}`);
      return data.find(gadget => gadget['name'] === name)!.id;
    };
    const rulesThere = async () =>
      (await controller.client.callOk('GET', `/devices/${side.deviceId}`))['input_rules'] as unknown[];
    const before = [{ code: '101', gadget_id: await gadgetId(side.deviceId, 'Light'), action_id: 'on' }];
    await controller.technician.callOk('PUT', `/devices/${side.deviceId}/input_rules`, { input_rules: before });
    const sideDoor = await gadgetId(side.deviceId, 'Door');
    await controller.technician.callOk('PUT', `/devices/${own}/input_rules`, {
      input_rules: [
        { code: '1', gadget_id: await gadgetId(own, 'Door'), action_id: 'open' },
        { code: '2', gadget_id: sideDoor, action_id: 'open' },
      ],
    });
    const technician = await open();
    const { page } = technician;
    await technician.rule('2').getByText('other controller').waitFor();
    await page.getByText('Copy to another controller').click();
    await page.getByLabel('Copy to', { exact: true }).selectOption({ label: 'Side entrance' });
    await page.getByText('Code 101 followed by a PIN or card switches on Light').waitFor();
    await checkScreen(page, 'technician-copy');
    const mapping = page.getByLabel('Instead of Door');
    expect(await mapping.inputValue()).toBe(sideDoor);
    await mapping.selectOption({ label: 'Light' });
    await technician.text('Light does not have the action open').waitFor();
    const start = page.getByRole('button', { name: 'Try at Side entrance' });
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    await mapping.selectOption({ label: 'Door' });
    const copied = ['1', '2'].map(code => ({ code, gadget_id: sideDoor, action_id: 'open' }));
    await start.click();
    const trial = page.getByRole('region', { name: 'Copied rules on trial at Side entrance' });
    await trial.waitFor();
    expect(await rulesThere()).toEqual(before);
    await trial.getByRole('button', { name: 'Keep' }).click();
    await technician.text('has the copied rules').waitFor();
    await controller.waitUntil(
      'the bridge has the copy',
      async () => JSON.stringify(await rulesThere()) === JSON.stringify(copied),
    );
    await page.getByRole('listitem').filter({ hasText: 'Side entrance' }).getByRole('button', { name: 'Undo' }).click();
    await technician.text('has its previous rules').waitFor();
    await controller.waitUntil(
      'the copy is undone',
      async () => JSON.stringify(await rulesThere()) === JSON.stringify(before),
    );
  });

  it('restores an earlier version of the rules', async () => {
    await setRules('31');
    await setRules('32');
    const technician = await open();
    const { page } = technician;
    await technician.rule('32').waitFor();
    await page.getByText('History', { exact: true }).click();
    const earlier = page.locator('details.version').nth(1);
    await earlier.locator('summary').click();
    await earlier.getByText('Code 31 followed by').waitFor();
    await checkScreen(page, 'technician-history');
    await earlier.getByRole('button', { name: 'Restore this version' }).click();
    await technician.applyRules();
    expect(await currentCodes()).toEqual(['31']);
  });
});
