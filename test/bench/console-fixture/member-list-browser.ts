import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { request } from 'undici';
import { launchChromium } from '../../support/browser/launch-chromium.ts';
import type { OrganizationLogin } from './prepare-organizations.ts';

/**
 * Notes when the list, or the text that there are no members, is painted and the page is free to handle input. A string,
 * because it runs in the page.
 */
const noteInteractive = `
  new MutationObserver((changes, observer) => {
    if (document.querySelector('.member-row, .empty-state') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { globalThis.interactiveAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
`;

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' };
const loadedTypes = new Set(['document', 'script', 'stylesheet']);

/** What a browser with an empty cache loads, and how long it takes. */
interface ScreenLoad {
  readonly interactiveMs: number;
  /** Addresses of the page, its scripts and its styles. */
  readonly files: readonly string[];
}

const loadScreen = async (page: Page, address: string): Promise<ScreenLoad> => {
  const files: string[] = [];
  page.on('response', response => {
    if (loadedTypes.has(response.request().resourceType())) files.push(response.url());
  });
  await page.addInitScript(noteInteractive);
  await page.goto(address);
  await page.locator('.member-row, .empty-state').first().waitFor();
  const interactiveMs = await page.evaluate<number>(`new Promise(resolve => {
    const check = () => globalThis.interactiveAt === undefined ? setTimeout(check, 5) : resolve(globalThis.interactiveAt);
    check();
  })`);
  return { interactiveMs, files };
};

/** Opens the member list in Chromium, each time without cached files. */
export class MemberScreenBrowser {
  readonly #browser: Browser;
  readonly #origin: string;

  private constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  static async launch(origin: string): Promise<MemberScreenBrowser> {
    return new MemberScreenBrowser(await launchChromium(), origin);
  }

  async load({ organizationId, cookie }: OrganizationLogin): Promise<ScreenLoad> {
    const context = await this.#browser.newContext(desktop);
    try {
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url: this.#origin }]);
      return await loadScreen(await context.newPage(), `${this.#origin}/organizations/${organizationId}/members`);
    } finally {
      await context.close();
    }
  }

  /** The bytes that the bridge sends for the files to a client that accepts gzip. */
  async gzipBytesOf(files: readonly string[], { cookie }: OrganizationLogin): Promise<number> {
    let bytes = 0;
    for (const file of files) {
      const { body } = await request(file, { headers: { cookie, 'accept-encoding': 'gzip' } });
      bytes += (await body.bytes()).length;
    }
    return bytes;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
