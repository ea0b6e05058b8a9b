import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSdCardSettings, prepareSdCard, servePreparePage, writeLabelFile } from '@lintel/packaging/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { bookworm, fakeDeb, writeFiles } from '../image/sd-card-fixtures.ts';
import { prepareDependencies } from '../image/prepare-test-sd-card.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { smallPng } from '../support/browser/pictures.ts';
import { desktop, phone, useBrowser } from '../support/browser/test-browser.ts';

const images = join(import.meta.dirname, '../../docs/images');

/** Shows the usual folder of a card in place of the temporary one. */
const savePicture = async (page: Page, card: string): Promise<void> => {
  await page.evaluate(`
    document.getElementById('boot_folder').value = '/media/me/bootfs';
    document.getElementById('drives-found').textContent = 'Found: /media/me/bootfs';
    document.getElementById('code').value = '7K3M-0QXW-PT5H';
  `);
  writeFileSync(join(images, 'prepare-card.png'), smallPng(await page.screenshot({ fullPage: true })));
  await page.getByLabel('Boot folder of the card').fill(card);
  await page.getByLabel('Claim code').fill('nonsense');
};

describe('lintel image prepare --web', () => {
  const browser = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'lintel-prepare-page-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const controller = fakeDeb(folder, 'lintel-controller_0.1.0_arm64.deb');

  /** The page with a temporary card, and packages that need not be built. */
  const serve = async () => {
    const card = writeFiles(mkdtempSync(join(folder, 'bootfs-')), bookworm);
    const page = await servePreparePage({
      bootFolder: card,
      args: [],
      prepareCard: async (args, wifiPassword) => {
        const prepared = await prepareSdCard(parseSdCardSettings(args), {
          ...prepareDependencies(controller),
          wifiPassword,
        });
        const file = join(card, '../label.pdf');
        await writeLabelFile(file, prepared.label);
        return { prepared, file };
      },
    });
    onTestFinished(() => page.close());
    return { card, url: page.url, origin: new URL(page.url).origin };
  };

  const walk = async (options: BrowserContextOptions): Promise<void> => {
    const { card, url, origin } = await serve();
    const page = await browser.open({ ...options, onlyOrigin: origin });
    await page.goto(url);
    await page.getByRole('heading', { name: 'Prepare a card' }).waitFor();
    expect(page.url()).toBe(`${origin}/`);
    expect(await page.getByLabel('Boot folder of the card').inputValue()).toBe(card);
    await page.getByLabel('Profile').selectOption('rpi-gpio-acr122u');
    await page.getByRole('img', { name: /^Wiring of / }).waitFor();
    await page.getByLabel('Address of the bridge').fill('https://doors.example.com');
    await page.getByLabel('Claim code').fill('nonsense');
    await page.getByLabel('Wi-Fi', { exact: true }).fill('Lobby');
    await page.getByLabel('Password of the Wi-Fi').fill('short');
    await page.getByLabel('Country').fill('es');
    await checkScreen(page, 'prepare-card');
    if (process.env['UPDATE_SCREENSHOTS'] === '1' && options === desktop) await savePicture(page, card);
    await page.getByRole('button', { name: 'Prepare the card' }).click();
    await page.getByRole('alert').filter({ hasText: 'Claim code must have twelve letters and digits' }).waitFor();
    await page.getByLabel('Claim code').fill('7K3M-0QXW-PT5H');
    await page.getByRole('button', { name: 'Prepare the card' }).click();
    await page.getByRole('alert').filter({ hasText: 'must be 8 to 63 characters long' }).waitFor();
    expect(existsSync(join(card, 'lintel'))).toBe(false);
    await page.getByLabel('Password of the Wi-Fi').fill('correct horse');
    await page.getByRole('button', { name: 'Prepare the card' }).click();
    await page.getByRole('heading', { name: /^lintel-[0-9a-f]+ is prepared$/ }).waitFor();
    await page.getByRole('img', { name: /^Label of the controller/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the label' }).click(),
    ]);
    expect(
      readFileSync(await download.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    await checkScreen(page, 'prepare-card-done');
    const claim = JSON.parse(readFileSync(join(card, 'lintel/secrets/pending-claim.json'), 'utf8')) as object;
    expect(claim).toMatchObject({ proof: { code: '7K3M-0QXW-PT5H', bridgeUrl: 'https://doors.example.com' } });
  };

  it('prepares a card and shows its label', { tags: ['slow'] }, () => walk(desktop));
  it('prepares a card and shows its label, on a small screen', { tags: ['slow'] }, () => walk(phone));

  it('answers only with the token of the link, on the loopback interface', async () => {
    const { url, origin } = await serve();
    const token = new URL(url).hash.slice(1);
    const get = (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers });
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await get('/api/choices')).status).toBe(403);
    expect((await get('/api/choices', { authorization: `Bearer ${token}x` })).status).toBe(403);
    expect((await get('/api/choices', { authorization: `Bearer ${token}` })).status).toBe(200);
    expect(await (await get('/')).text()).not.toContain(token);
    const prepare = await fetch(`${origin}/api/prepare`, { method: 'POST', body: '{}' });
    expect(prepare.status).toBe(403);
  });
});
