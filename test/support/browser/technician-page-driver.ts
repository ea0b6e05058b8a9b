import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { ControllerWithBridge } from '../technician/controller-with-bridge.ts';
import { phone, type TestBrowser } from './test-browser.ts';

type Screen = 'Overview' | 'Claim' | 'Rules' | 'Live' | 'Try' | 'Tests' | 'Report';

/** Controls the technician page in a browser. */
export class TechnicianPageDriver {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** The page of a controller. */
  static async open(
    browser: TestBrowser,
    options: BrowserContextOptions,
    url: string,
    fragment = '',
  ): Promise<TechnicianPageDriver> {
    const page = await browser.open({ ...options, onlyOrigin: new URL(url).origin });
    await page.goto(`${url}/${fragment}`);
    return new TechnicianPageDriver(page);
  }

  /** The page of the bridge, from which a technician reaches the controllers remotely. */
  static async openAtBridge(browser: TestBrowser, cookie: string, url: string): Promise<TechnicianPageDriver> {
    const page = await browser.open({ ...phone, onlyOrigin: new URL(url).origin, session: { cookie, url } });
    await page.goto(`${url}/technician`);
    return new TechnicianPageDriver(page);
  }

  /** The page of a claimed controller, for a technician who is logged in at the bridge in the same browser. */
  static async openWithBridge(
    browser: TestBrowser,
    options: BrowserContextOptions,
    { url, bridgeUrl, technician }: ControllerWithBridge,
    fragment = '',
  ): Promise<TechnicianPageDriver> {
    const onlyOrigin = [url, bridgeUrl].map(address => new URL(address).origin);
    const session = { cookie: technician.headers['cookie']!, url: bridgeUrl };
    const page = await browser.open({ ...options, onlyOrigin, session });
    await page.goto(`${url}/${fragment}`);
    return new TechnicianPageDriver(page);
  }

  /** Logged in at the page of a controller with a pass of the bridge. */
  static async openWithPass(
    browser: TestBrowser,
    options: BrowserContextOptions,
    controller: ControllerWithBridge,
  ): Promise<TechnicianPageDriver> {
    const driver = await TechnicianPageDriver.openWithBridge(browser, options, controller, '#sign_in=pass');
    await driver.press('Continue');
    await driver.connected();
    return driver;
  }

  connected(): Promise<void> {
    return this.page.getByRole('status').filter({ hasText: 'Connected' }).waitFor({ state: 'attached' });
  }

  async goTo(screen: Screen): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
    await this.page.locator(`main[data-screen]`).waitFor();
  }

  press(name: string | RegExp): Promise<void> {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click();
  }

  text(words: string | RegExp): Locator {
    return this.page.getByText(words).first();
  }

  rule(words: string | RegExp): Locator {
    return this.page.locator('.rule-line', { hasText: words });
  }

  /** Fills in the open rule. */
  async fillRule(code: string, gadget: string, action?: string): Promise<void> {
    await this.page.getByLabel('Code before the PIN or card').fill(code);
    await this.page.getByLabel('Opens', { exact: true }).selectOption({ label: gadget });
    if (action !== undefined) await this.page.getByLabel('Action').selectOption({ label: action });
  }

  async addRule(code: string, gadget: string, action?: string): Promise<void> {
    await this.press('Add a rule');
    await this.fillRule(code, gadget, action);
    await this.press('Done');
  }

  /** Applies the edited rules and confirms them within their trial. */
  async applyRules(): Promise<void> {
    await this.press('Apply');
    await this.confirmRules();
  }

  async confirmRules(): Promise<void> {
    await this.press('Keep');
    await this.page.getByRole('timer').waitFor({ state: 'detached' });
  }
}
