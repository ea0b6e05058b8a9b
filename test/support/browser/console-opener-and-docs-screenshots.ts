import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { AdminClient } from '../bridge/admin-client.ts';
import { smallPng } from './shrink-screenshot-png.ts';
import { desktop, type PageOptions, phone, type TestBrowser } from './test-browser.ts';

const images = join(import.meta.dirname, '../../../docs/images');
const MAX_PICTURE_BYTES = 150_000;

/** `UPDATE_SCREENSHOTS=1` replaces the pictures of the documentation. */
export const savePicture = async (page: Page, name: string): Promise<void> => {
  const picture = smallPng(await page.screenshot());
  expect(picture.length).toBeLessThan(MAX_PICTURE_BYTES);
  if (process.env['UPDATE_SCREENSHOTS'] === '1') writeFileSync(join(images, `console-${name}.png`), picture);
};

/** A walk through one screen, at both widths and in two languages. */
export type Walk = (options: BrowserContextOptions) => Promise<void>;
export const germanPhone: BrowserContextOptions = { ...phone, locale: 'de-DE' };

/** Opens screens of the admin console as a signed-in user. The path begins after the organization. */
export const consoleOpener =
  (browser: TestBrowser, address: () => string, owner: () => AdminClient) =>
  async (path: string, options: PageOptions = desktop, user = owner()): Promise<Page> => {
    const page = await browser.open({
      ...options,
      onlyOrigin: address(),
      session: { cookie: user.headers['cookie']!, url: address() },
    });
    await page.goto(`${address()}/organizations/${user.organizationId}${path}`);
    return page;
  };
