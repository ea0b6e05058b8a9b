import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { filmOfCode } from '../support/browser/code-film.ts';
import { aDevice } from '../support/bridge/place.ts';
import { TechnicianPage } from '../support/technician/technician-page.ts';
import { VisitedController } from '../support/technician/visited-controller.ts';

const part = { command: 'chromium', install: 'apt-get install chromium' };
const home = join(import.meta.dirname, '../..');

describe('a technician on a site in Chromium', () => {
  let house: VisitedController;

  beforeEach(context => requirePart(context, part));
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(home, 'console/build.ts')]);
    house = await VisitedController.claimed();
  }, 60_000);
  afterAll(() => house?.close());

  const phone: BrowserContextOptions = {
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    ignoreHTTPSErrors: true,
  };

  it('comes in by holding the code of a pass to the camera', async () => {
    const film = join(mkdtempSync(join(tmpdir(), 'lintel-film-')), 'pass.y4m');
    filmOfCode(`${house.url}/#pass=${await house.pass()}`, film);
    const camera = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', ...camera, `--use-file-for-fake-video-capture=${film}`],
    });
    const technician = await TechnicianPage.open(await browser.newContext(phone), house.url);
    const { page } = technician;
    await technician.act('Scan a QR code');
    await page.getByRole('dialog', { name: 'Scan a QR code' }).waitFor({ state: 'detached', timeout: 30_000 });
    expect(await page.getByLabel('Technician pass').inputValue()).toContain('#pass=');
    await technician.act('Log in');
    await technician.inside();
    expect(technician.complaints).toEqual([]);
    await browser.close();
  }, 60_000);

  it('leads a code to a door of another controller, and copies the rules there', async () => {
    const { world, client, tina, siteId } = house;
    const gadgets = [{ name: 'Door', actions: [{ id: 'open', name: 'Open' }] }];
    const side = await aDevice(world, client, { site_id: siteId, name: 'Side entrance', gadgets });
    const own = (await client.done('GET', '/devices')).data.find(({ name }) => name === 'Back door')!.id;
    const { data } = await client.done('GET', `/gadgets?device_id=${own}`);
    const gadget_id = data.find(({ name }) => name === 'Door')!.id;
    await tina.done('PUT', `/devices/${own}/input_rules`, {
      input_rules: [
        { code: '1', gadget_id, action_id: 'open' },
        { code: '2', gadget_id: side.gadgetId, action_id: 'open' },
      ],
    });
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    const technician = await TechnicianPage.open(
      await browser.newContext(phone),
      house.url,
      `#pass=${await house.pass()}`,
    );
    const { page } = technician;
    await technician.inside();
    await technician.goTo('Rules');
    await technician.rule('2').getByText('at another controller').waitFor();
    await page.getByText('Copy to other controllers').click();
    await page.getByRole('checkbox').first().check();
    await technician.act('Copy to 1 controller');
    await technician.text('copied').waitFor();
    expect(await technician.problems()).toEqual([]);
    const copied = await client.done('GET', `/devices/${side.deviceId}`);
    expect(copied['input_rules']).toHaveLength(2);
    expect(technician.complaints).toEqual([]);
    await browser.close();
  }, 60_000);
});
