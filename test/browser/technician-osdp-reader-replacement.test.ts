import { afterEach, describe, expect, it } from 'vitest';
import { builtPages } from '../support/browser/built-pages.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { TechnicianPageDriver } from '../support/browser/technician-page-driver.ts';
import { HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { OsdpControllerParts } from '../support/hardware/osdp-controller-parts.ts';
import { requiredPython } from '../support/processes/pty.ts';
import { requireProgram } from '../support/require-program.ts';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

describe('tests screen with OSDP readers', () => {
  const browser = useBrowser();
  const closing: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  }, HOOK_TIMEOUT);

  it('replaces a reader, and says what the controller sees until then', { tags: ['slow'] }, async context => {
    requireProgram(context, requiredPython);
    const door = new TechnicianApiFixture();
    closing.push(() => door.remove());
    const parts = await OsdpControllerParts.open(door.folder, [{ address: 1 }, { address: 2 }]);
    closing.push(() => parts.close());
    await door.open({
      pages: builtPages,
      profile: parts.profile,
      replaceableReaders: () => parts.hardware.replaceableReaders(),
    });
    const reader = parts.reader(1);
    await expect.poll(() => reader.key).not.toBeNull();
    const { key } = reader;

    const technician = await TechnicianPageDriver.open(browser, phone, door.technician.url, `#code=${door.setupCode}`);
    const { page } = technician;
    await technician.connected();
    await technician.goTo('Tests');
    const section = page.getByRole('region', { name: 'OSDP readers' });
    const replace = section.getByRole('button', { name: 'door_1: Replace reader' });
    await replace.click();
    await section.getByLabel('Key of the new reader').fill('12 34');
    await replace.click();
    await section.getByText('otherwise 32 digits').waitFor();
    await checkScreen(page, 'osdp-reader-key');
    await section.getByLabel('Key of the new reader').fill('');
    await replace.click();
    await section.getByText('The old reader still responds. Disconnect it').waitFor();
    reader.address = 0;
    await section.getByText('A reader responds at address 0. Set it to address 1').waitFor();
    await checkScreen(page, 'osdp-reader-waiting');
    await page.setViewportSize({ width: 1280, height: 800 });
    await checkScreen(page, 'osdp-reader-waiting');
    await page.setViewportSize({ width: 360, height: 740 });
    reader.key = null;
    reader.restart();
    reader.address = 1;
    await section.getByText('The reader was replaced and has a new key.').waitFor();
    await checkScreen(page, 'osdp-reader-replaced');
    expect(reader.key).not.toEqual(key);
    await technician.goTo('Report');
    await technician.text('Replacement of reader door_1_reader').waitFor();
  });
});
