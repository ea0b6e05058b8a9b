import axe from 'axe-core';
import type { BrowserContext, Locator, Page } from 'playwright-core';

/** Moves that nobody asked for are counted from the first paint on. */
const watchShifts = `
  globalThis.shifts = [];
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 120) ?? 'gone');
      if (!hadRecentInput) shifts.push({ value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
  globalThis.audioContexts = 0;
  globalThis.AudioContext = class extends AudioContext {
    constructor(...args) {
      super(...args);
      audioContexts += 1;
    }
  };
`;

/** The page of the simulator as a person meets it. */
export class SimulatorPage {
  readonly page: Page;
  /** What the browser had to complain about, and requests that left this machine's page. */
  readonly complaints: string[] = [];
  readonly strangers: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(context: BrowserContext, address: string): Promise<SimulatorPage> {
    const opened = new SimulatorPage(await context.newPage());
    const { page, complaints, strangers } = opened;
    await page.addInitScript(watchShifts);
    page.on('console', message => {
      // The browser notes a connection that is refused by itself.
      if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
    });
    page.on('pageerror', error => complaints.push(error.message));
    page.on('request', request => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== address) strangers.push(request.url());
    });
    await page.goto(address);
    await page.getByRole('main').waitFor();
    return opened;
  }

  door(name: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^${name}`) });
  }

  keypad(name: string): Locator {
    return this.page.getByRole('group', { name: `Keypad, ${name}` });
  }

  async untilDoorIs(name: string, state: string): Promise<void> {
    await this.door(name)
      .locator('.state', { hasText: new RegExp(`^${state}$`) })
      .waitFor();
  }

  async press(keypad: string, keys: string): Promise<void> {
    const names: Readonly<Record<string, string>> = { '*': 'star, clear', '#': 'hash, enter' };
    for (const key of keys) {
      await this.keypad(keypad)
        .getByRole('button', { name: names[key] ?? key, exact: true })
        .click();
    }
  }

  choosePerson(name: string): Promise<void> {
    return this.page.getByRole('radio', { name: new RegExp(`^${name}`) }).check();
  }

  act(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  switchInternet(mode: 'Up' | 'Slow' | 'Dead' | 'Cut'): Promise<void> {
    return this.page.getByRole('group', { name: 'Internet' }).getByRole('radio', { name: mode }).check();
  }

  turn(name: string): Promise<void> {
    return this.page.getByRole('switch', { name }).click();
  }

  /** Rows of the time line with these words. */
  told(words: string): Locator {
    return this.page.getByRole('region', { name: /^What happened/ }).locator('.happening', { hasText: words });
  }

  stop(row: Locator, stop: 'door' | 'gateway' | 'bridge' | 'webhook', state: 'reached' | 'next' | 'later'): Locator {
    return row.locator(`[data-stop="${stop}"][data-state="${state}"]`);
  }

  shifts(): Promise<readonly object[]> {
    return this.page.evaluate<object[]>('shifts');
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
