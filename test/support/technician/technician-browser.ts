import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { expect } from 'vitest';
import { TechnicianPage } from './technician-page.ts';

const home = join(import.meta.dirname, '../../..');

export const chromiumPart = { command: 'chromium', install: 'apt-get install chromium' };

const calm: BrowserContextOptions = { locale: 'en-GB', reducedMotion: 'reduce', ignoreHTTPSErrors: true };
export const desktop: BrowserContextOptions = { ...calm, viewport: { width: 1280, height: 800 } };
export const phone: BrowserContextOptions = { ...calm, viewport: { width: 360, height: 740 }, hasTouch: true };

export const buildPages = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(home, 'console/build.ts')]);
};

/** Chromium, started when it is first needed, and the pages that a technician opens in it. */
export class TechnicianBrowser {
  #browser: Browser | null = null;

  async visit(options: BrowserContextOptions, url: string, fragment = ''): Promise<TechnicianPage> {
    this.#browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    return TechnicianPage.open(await this.#browser.newContext(options), url, fragment);
  }

  /** With the session that somebody has at the bridge. */
  async visitBridge(cookie: string, url: string, path = 'technician/'): Promise<TechnicianPage> {
    this.#browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    const context = await this.#browser.newContext(phone);
    const [name, value] = cookie.split('=');
    await context.addCookies([{ name: name!, value: value!, url }]);
    return TechnicianPage.open(context, url, path);
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    this.#browser = null;
  }
}

/** As it is looked at: it fits, and axe has nothing to say. `SCREENS_IN=DIR` keeps a picture of each for people. */
export const lookAt = async (technician: TechnicianPage, name: string): Promise<void> => {
  const { page } = technician;
  const folder = process.env['SCREENS_IN'];
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    const width = page.viewportSize()?.width ?? 0;
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
  }
  expect(await technician.fitsWidth()).toBe(true);
  expect(await technician.problems()).toEqual([]);
};

/** Nothing went wrong in the browser, and nothing left the controller. */
export const leave = async ({ page, complaints, strangers }: TechnicianPage): Promise<void> => {
  expect(complaints).toEqual([]);
  expect(strangers).toEqual([]);
  await page.context().close();
};
