import axe from 'axe-core';
import type { BrowserContext, Locator, Page } from 'playwright-core';

type Screen = 'Overview' | 'Claim' | 'Rules' | 'Live' | 'Try' | 'Tests' | 'Report';

/** The technician's page as a person meets it. */
export class TechnicianPage {
  readonly page: Page;
  /** What the browser had to complain about, and requests that left the controller. */
  readonly complaints: string[] = [];
  readonly strangers: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(context: BrowserContext, address: string, fragment = ''): Promise<TechnicianPage> {
    const opened = new TechnicianPage(await context.newPage());
    const { page, complaints, strangers } = opened;
    page.on('console', message => {
      // The browser notes answers that are no success, and connections that are refused, by itself.
      if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
    });
    page.on('pageerror', error => complaints.push(error.message));
    page.on('request', request => {
      const { protocol, origin } = new URL(request.url());
      if (!['data:', 'blob:'].includes(protocol) && origin !== new URL(address).origin) strangers.push(request.url());
    });
    await page.goto(`${address}/${fragment}`);
    return opened;
  }

  async login(code: string): Promise<void> {
    await this.page.getByLabel('Setup code on the label').fill(code);
    await this.act('Log in');
    await this.inside();
  }

  async loginWithPass(pass: string): Promise<void> {
    await this.page.getByLabel('Technician pass').fill(pass);
    await this.act('Log in');
    await this.inside();
  }

  inside(): Promise<void> {
    return this.page.getByRole('status').filter({ hasText: 'Connected' }).waitFor({ state: 'attached' });
  }

  async goTo(screen: Screen): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
    await this.page.locator(`main[data-screen]`).waitFor();
  }

  act(name: string | RegExp): Promise<void> {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click();
  }

  text(words: string | RegExp): Locator {
    return this.page.getByText(words).first();
  }

  rule(words: string | RegExp): Locator {
    return this.page.locator('.rule-line', { hasText: words });
  }

  /** Fills in the rule that is open. */
  async fillRule(code: string, gadget: string, action?: string): Promise<void> {
    await this.page.getByLabel('Code before the PIN or card').fill(code);
    await this.page.getByLabel('Leads to').selectOption({ label: gadget });
    if (action !== undefined) await this.page.getByLabel('Action').selectOption({ label: action });
  }

  async addRule(code: string, gadget: string, action?: string): Promise<void> {
    await this.act('Add a rule');
    await this.fillRule(code, gadget, action);
    await this.act('Done');
  }

  fitsWidth(): Promise<boolean> {
    return this.page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
  }

  async problems(): Promise<readonly string[]> {
    // A string, because the policy of the page lets no other script in.
    const { violations } = await this.page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      `(() => { ${axe.source}; return axe.run(); })()`,
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
  }
}
