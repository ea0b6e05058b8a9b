import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { createReleaseSigner, generateReleasePrivateKey } from '@lintel/updates/release-files/release-keys';
import { writeRelease } from '@lintel/updates/release-files/write-release';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestSite, door } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { savePicture } from '../support/browser/console-opener-and-docs-screenshots.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { TestController } from '../support/devices/test-controller.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-console-updates-'));
const keys = join(folder, 'keys');
const signer = createReleaseSigner(generateReleasePrivateKey());
mkdirSync(keys);
writeFileSync(join(keys, 'a.pub'), signer.publicPem);
const foreignSigner = createReleaseSigner(generateReleasePrivateKey());

const archive = async (version: string, by = signer): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
  const file = join(folder, `${version}.release`);
  const files = [{ path: 'start', isExecutable: true, read: () => Buffer.from(`#!/bin/sh\n# ${version}\n`) }];
  const plan = { program: 'controller', version, arch: 'all', entry: 'start', minimum_version: null } as const;
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: instant(0), files }, by, file);
  return { name: `${version}.release`, mimeType: 'application/octet-stream', buffer: readFileSync(file) };
};

describe('console screens for updates', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let address: string;
  let owner: AdminClient;
  let controller: TestController;

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true, releaseKeys: keys });
    bridge.now = instant(Date.now());
    address = await bridge.listen('127.0.0.1', 0);
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client, { name: 'Hotel Lintel' });
    owner = await openAdminSession(bridge, client.organizationId, 'owner');
    await owner.callOk('PATCH', '', { name: 'Hotel Lintel' });
    const name = 'Ground floor';
    controller = await TestController.claim(bridge, client, { site_id }, { name, gadgets: [door] });
    const port = await bridge.devices.broker!.listen('127.0.0.1', 0);
    await controller.start(`mqtt://127.0.0.1:${port}`);
    await bridge.devices.whenIdle();
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    await controller.stop();
    await bridge.close();
    rmSync(folder, { recursive: true });
  }, HOOK_TIMEOUT);

  const open = async (path: string, options = desktop, user = owner): Promise<Page> => {
    const page = await browser.open({
      ...options,
      onlyOrigin: address,
      session: { cookie: user.headers['cookie']!, url: address },
    });
    await page.goto(`${address}/organizations/${user.organizationId}${path}`);
    return page;
  };

  const walkRollout = async (options: BrowserContextOptions, version: string): Promise<void> => {
    const page = await open('/updates', options);
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
  };
  it('uploads a release, rolls it out and follows a device', () => walkRollout(desktop, '1.1.0'));
  it('uploads a release, rolls it out and follows a device, on a phone in German', () =>
    walkRollout({ ...phone, locale: 'de-DE' }, '1.2.0'));

  it('explains why a release with a foreign signature is rejected', async () => {
    const page = await open('/updates');
    await page.locator('input[type=file]').setInputFiles(await archive('6.6.6', foreignSigner));
    await page.getByText(/The request failed: .*(key|sign)/i).waitFor();
  });

  it('shows a viewer the releases without actions, and looks as in the documentation', async () => {
    const viewer = await openAdminSession(bridge, owner.organizationId, 'viewer');
    const page = await open('/updates', desktop, viewer);
    await page.getByText('Controller firmware 1.1.0').first().waitFor();
    await page.getByRole('button', { name: /Upload|Roll out|Delete/ }).waitFor({ state: 'detached' });
    const shown = await open('/updates');
    await shown.getByText('Controller firmware 1.1.0').first().waitFor();
    await savePicture(shown, 'updates-desktop');
  });
});
