import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { createReleaseSigner, generateReleasePrivateKey } from '@lintel/updates/release-files/release-keys';
import { writeRelease } from '@lintel/updates/release-files/write-release';
import type { Page } from 'playwright-core';
import { afterAll, describe, onTestFinished } from 'vitest';
import { door } from '../../support/bridge/site-fixtures.ts';
import { type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { desktop, HOOK_TIMEOUT } from '../../support/browser/test-browser.ts';
import { TestController } from '../../support/devices/test-controller.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-console-updates-'));
const keys = join(folder, 'keys');
const signer = createReleaseSigner(generateReleasePrivateKey());
mkdirSync(keys);
writeFileSync(join(keys, 'a.pub'), signer.publicPem);
const foreignSigner = createReleaseSigner(generateReleasePrivateKey());

const archive = async (version: string, by = signer): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
  const file = join(mkdtempSync(join(folder, 'release-')), `${version}.release`);
  const files = [{ path: 'start', isExecutable: true, read: () => Buffer.from(`#!/bin/sh\n# ${version}\n`) }];
  const plan = { program: 'controller', version, arch: 'all', entry: 'start', minimum_version: null } as const;
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: instant(0), files }, by, file);
  return { name: `${version}.release`, mimeType: 'application/octet-stream', buffer: readFileSync(file) };
};

const startController = async ({ bridge, client, siteId: site_id }: Hotel): Promise<TestController> => {
  const name = 'Ground floor';
  const controller = await TestController.claim(bridge, client, { site_id }, { name, gadgets: [door] });
  onTestFinished(() => controller.stop(), HOOK_TIMEOUT);
  await controller.start(`mqtt://127.0.0.1:${await bridge.devices.broker!.listen('127.0.0.1', 0)}`);
  await bridge.devices.whenIdle();
  return controller;
};

describe('updates', () => {
  test.override({ doors: [], bridgeOptions: { releaseKeys: keys } });
  afterAll(() => rmSync(folder, { recursive: true }));

  testWalk('uploads a release, rolls it out and follows a device', async (hotel, options) => {
    const version = '1.1.0';
    const controller = await startController(hotel);
    const page = await hotel.open('/updates', options);
    const input = page.locator('input[type=file]');
    await input.setInputFiles(await archive(version));
    await page.getByText(/its signature is valid|die Signatur ist gültig/).waitFor();
    await checkScreen(page, 'admin-updates');
    await page.getByRole('button', { name: new RegExp(`(Roll out|Verteilen): .* ${version}`) }).click();
    await checkScreen(page, 'admin-start-rollout');
    const order = controller.next('update');
    await page.getByRole('button', { name: /Start roll-out|Verteilung starten/ }).click();
    await page.getByRole('link', { name: 'Ground floor' }).waitFor();
    const { rollout_id } = await order;
    const report = { v: 1, rollout_id, running: '1.0.0', reason: null } as const;
    await controller.send('update-report', { ...report, state: 'downloading', percent: 40 });
    await page.getByText(/(Downloading|Lädt) 40 %/).waitFor();
    await checkScreen(page, 'admin-rollout');
    await page.getByRole('button', { name: /^(Pause|Pausieren)$/ }).click();
    await page
      .locator('.page-header')
      .getByText(/^(Paused|Pausiert)$/)
      .waitFor();
    await page.getByRole('button', { name: /^(Resume|Fortsetzen)$/ }).click();
    await page
      .locator('.page-header')
      .getByText(/^(Running|Läuft)$/)
      .waitFor();
    await page.getByRole('button', { name: /Cancel roll-out|Verteilung abbrechen/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Cancel roll-out|Verteilung abbrechen/ })
      .click();
    await page
      .locator('.page-header')
      .getByText(/^(Canceled|Abgebrochen)$/)
      .waitFor();
  });

  test('explains why a release with a foreign signature is rejected', async ({ hotel }) => {
    const page = await hotel.open('/updates');
    await page.locator('input[type=file]').setInputFiles(await archive('6.6.6', foreignSigner));
    await page.getByText(/The request failed: .*(key|sign)/i).waitFor();
  });

  const uploadRelease = async (hotel: Hotel, version: string): Promise<Page> => {
    const page = await hotel.open('/updates');
    await page.locator('input[type=file]').setInputFiles(await archive(version));
    await page.getByText(`Controller firmware ${version}`).first().waitFor();
    return page;
  };

  test('shows a viewer the releases without actions', { tags: ['slow'] }, async ({ hotel }) => {
    await uploadRelease(hotel, '1.1.0');
    const page = await hotel.open('/updates', desktop, await hotel.newUser('viewer'));
    await page.getByText('Controller firmware 1.1.0').first().waitFor();
    await page.getByRole('button', { name: /Upload|Roll out|Delete/ }).waitFor({ state: 'detached' });
  });

  test('looks as in the documentation', { tags: ['slow'] }, async ({ hotel }) => {
    await uploadRelease(hotel, '1.1.0');
    await savePicture(await uploadRelease(hotel, '1.2.0'), 'console-updates-desktop');
  });
});
