import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import { type FontStack, useFontStack } from './page-checks.ts';
import type { TestBrowser } from './test-browser.ts';

/** Records layout shifts without user input, audio contexts, and all states and announcements of doors, which may be short. */
const recordPage = `
  globalThis.shifts = [];
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 120) ?? 'gone');
      if (!hadRecentInput) shifts.push({ value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
  globalThis.seen = new Set();
  new MutationObserver(() => {
    for (const state of document.querySelectorAll('button .state')) {
      const door = state.closest('button');
      const leaf = door.querySelector('[data-is-open]') === null ? 'closed leaf' : 'open leaf';
      seen.add(door.textContent + '|' + state.textContent + '|' + leaf);
    }
    for (const status of document.querySelectorAll('[role="status"]')) seen.add(status.textContent);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  globalThis.audioContexts = 0;
  globalThis.AudioContext = class extends AudioContext {
    constructor(...args) {
      super(...args);
      audioContexts += 1;
    }
  };
`;

/** Controls the simulator page in a browser. */
export class SimulatorPageDriver {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(
    browser: TestBrowser,
    options: BrowserContextOptions,
    address: string,
    fonts: FontStack = 'installed',
    hasTour = false,
  ): Promise<SimulatorPageDriver> {
    const page = await browser.open({ ...options, onlyOrigin: new URL(address).origin });
    if (!hasTour) await page.addInitScript("localStorage.setItem('lintel-tour', 'ended')");
    await page.addInitScript(recordPage);
    await page.addInitScript(useFontStack(fonts));
    await page.goto(address);
    await page.getByRole('main').waitFor();
    return new SimulatorPageDriver(page);
  }

  door(name: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^${name}`) });
  }

  /** On a phone, only the chosen door is shown. */
  async selectDoor(name: string): Promise<void> {
    const choice = this.page.locator('.door-choice select');
    if (await choice.isVisible()) await choice.selectOption({ label: name });
    else await this.door(name).click();
  }

  keypad(name: string): Locator {
    return this.page.getByRole('group', { name: `Keypad, ${name}` });
  }

  async waitForDoor(name: string, state: string): Promise<void> {
    await this.door(name)
      .locator('.state', { hasText: new RegExp(`^${state}$`) })
      .waitFor();
  }

  /** Since the page was loaded. A door is open for a few seconds only. */
  async waitUntilOpened(name: string): Promise<void> {
    await this.#waitUntilSeen(`one.includes(${JSON.stringify(name)}) && one.endsWith('|open|open leaf')`);
  }

  async waitForAnnouncement(words: string): Promise<void> {
    await this.#waitUntilSeen(`one.includes(${JSON.stringify(words)})`);
  }

  async #waitUntilSeen(condition: string): Promise<void> {
    await vi.waitUntil(() => this.page.evaluate<boolean>(`Array.from(seen).some(one => ${condition})`), {
      timeout: 60_000,
      interval: 50,
    });
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

  pressButton(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  switchInternet(mode: 'Working' | 'Slow' | 'Stalled' | 'Cut'): Promise<void> {
    return this.page.getByRole('group', { name: 'Internet' }).getByRole('radio', { name: mode }).check();
  }

  toggle(name: string): Promise<void> {
    return this.page.getByRole('switch', { name }).click();
  }

  /** Rows of the activity list with this text. */
  event(text: string | RegExp): Locator {
    return this.page.getByRole('region', { name: /^Events/ }).locator('.activity-row', { hasText: text });
  }

  stop(row: Locator, stop: 'door' | 'gateway' | 'bridge' | 'webhook', state: 'reached' | 'next' | 'later'): Locator {
    return row.locator(`[data-stop="${stop}"][data-state="${state}"]`);
  }

  shifts(): Promise<readonly object[]> {
    return this.page.evaluate<object[]>('shifts');
  }
}
