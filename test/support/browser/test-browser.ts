import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeEach, onTestFinished, test, type TestContext } from 'vitest';
import { requireProgram } from '../require-program.ts';
import { launchChromium } from './launch-chromium.ts';

const home = join(import.meta.dirname, '../../..');
const results = join(home, 'test-results');
const isTraced = process.env['LINTEL_TRACE'] === '1';

/** Fixtures with processes start and end within this time, even on a busy machine. */
export const HOOK_TIMEOUT = 120_000;

/** Without animations, so that no check runs on a half faded element and no frame is painted for nothing. */
const still: BrowserContextOptions = { locale: 'en-GB', reducedMotion: 'reduce', ignoreHTTPSErrors: true };
export const desktop: BrowserContextOptions = { ...still, viewport: { width: 1280, height: 800 } };
export const phone: BrowserContextOptions = { ...still, viewport: { width: 360, height: 740 }, hasTouch: true };

export interface PageOptions extends BrowserContextOptions {
  /** The only origins that the page may request anything from. Without them, the page may request anything. */
  readonly onlyOrigin?: string | readonly string[] | undefined;
  /** Console messages that the test expects. The test has to check that they are written. */
  readonly expectedMessages?: RegExp | undefined;
  /** A `Cookie` header, and the address that it belongs to. */
  readonly session?: { readonly cookie: string; readonly url: string };
  /**
   * Later tests use the page again, without its cookies and stored data. Loading the same program again takes half the time.
   * Not for tests that add scripts to the page.
   */
  readonly isReusable?: boolean;
}

/** What a page wrote to the console and requested. A test fails if `messages` or `foreignRequests` has an entry at its end. */
interface PageLog {
  readonly lines: string[];
  readonly messages: string[];
  readonly foreignRequests: string[];
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100);

const recordLog = (page: Page, { onlyOrigin, expectedMessages }: PageOptions): PageLog => {
  const allowed = onlyOrigin === undefined ? null : [onlyOrigin].flat();
  const log: PageLog = { lines: [], messages: [], foreignRequests: [] };
  const addMessage = (type: string, text: string): void => {
    log.lines.push(`${type}: ${text}`);
    // Chromium itself logs every response of 400 and more and every refused connection.
    if (!text.startsWith('Failed to load resource') && expectedMessages?.test(text) !== true) log.messages.push(text);
  };
  page.on('console', message => addMessage(message.type(), message.text()));
  page.on('pageerror', error => addMessage('exception', error.stack ?? error.message));
  page.on('response', response =>
    log.lines.push(`${response.status()} ${response.request().method()} ${response.url()}`),
  );
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url());
    const isForeign = !['data:', 'blob:'].includes(protocol) && allowed?.includes(origin) === false;
    if (isForeign) log.foreignRequests.push(request.url());
  });
  return log;
};

/** Screenshot, HTML and log of a page, in `test-results/FILE/TEST/`, and with `LINTEL_TRACE=1` a Playwright trace. */
const saveFailure = async (page: Page, log: PageLog, { task }: TestContext, number: number): Promise<void> => {
  const folder = join(results, basename(task.file.filepath, '.test.ts'), slug(task.name));
  const file = (ending: string): string => join(folder, `page-${number}${ending}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file('.log'), `${page.url()}\n${log.lines.join('\n')}\n`);
  writeFileSync(file('.html'), await page.content());
  await page.screenshot({ path: file('.png'), fullPage: true });
  if (isTraced) await page.context().tracing.stop({ path: file('-trace.zip') });
  console.error(`Screenshot, HTML and log of the failed test: ${relative(home, file('.*'))}`);
};

const pageEvents = [
  'console',
  'dialog',
  'pageerror',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
] as const;

/** Ends what a test did to the page and its context. */
const resetPage = async (page: Page): Promise<void> => {
  const context = page.context();
  for (const event of pageEvents) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of context.pages()) if (other !== page) await other.close();
  const { origin } = new URL(page.url());
  await page.goto('about:blank');
  if (origin !== 'null') {
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await session.detach();
  }
  await context.clearCookies();
};

/** A Chromium that starts for its first page. */
class LazyChromium {
  readonly #args: readonly string[];
  readonly #unused = new Map<string, Page>();
  #browser: Promise<Browser> | null = null;

  constructor(args: readonly string[] = []) {
    this.#args = args;
  }

  launch(): Promise<Browser> {
    this.#browser ??= launchChromium(this.#args);
    return this.#browser;
  }

  /** A page in a context with these options. A reusable one may have been used by an earlier test. */
  async openPage(options: BrowserContextOptions, isReusable: boolean): Promise<Page> {
    const key = JSON.stringify(options);
    const unused = this.#unused.get(key);
    if (isReusable && unused !== undefined) {
      this.#unused.delete(key);
      return unused;
    }
    const context = await (await this.launch()).newContext(options);
    context.setDefaultTimeout(60_000);
    return context.newPage();
  }

  /** Keeps one page for each set of options. */
  async keepPage(options: BrowserContextOptions, page: Page): Promise<void> {
    const key = JSON.stringify(options);
    if (page.isClosed() || this.#unused.has(key)) return page.context().close();
    await resetPage(page);
    this.#unused.set(key, page);
  }

  async close(): Promise<void> {
    const browser = this.#browser;
    this.#browser = null;
    this.#unused.clear();
    await (await browser)?.close();
  }
}

/** The test files of a worker share it. */
const chromiumOfWorker = new LazyChromium();

/** Opens pages. Each has its own context, which is closed after its test unless a later one uses it. */
export class TestBrowser {
  readonly #chromium: LazyChromium;
  #pages = 0;

  constructor(chromium = chromiumOfWorker) {
    this.#chromium = chromium;
  }

  async open(options: PageOptions = phone): Promise<Page> {
    const { onlyOrigin, expectedMessages, session, isReusable = false, ...contextOptions } = options;
    const page = await this.#chromium.openPage(contextOptions, isReusable && !isTraced);
    const context = page.context();
    if (isTraced) await context.tracing.start({ screenshots: true, snapshots: true });
    if (session !== undefined) {
      const [name, value] = session.cookie.split('=');
      await context.addCookies([{ name: name!, value: value!, url: session.url }]);
    }
    const log = recordLog(page, { onlyOrigin, expectedMessages });
    const number = ++this.#pages;
    const end = (isFailed: boolean): Promise<void> =>
      isReusable && !isTraced && !isFailed ? this.#chromium.keepPage(contextOptions, page) : context.close();
    onTestFinished(test => this.#finish(page, log, test, number, end), HOOK_TIMEOUT);
    return page;
  }

  async #finish(
    page: Page,
    log: PageLog,
    test: TestContext,
    number: number,
    end: (isFailed: boolean) => Promise<void>,
  ): Promise<void> {
    const unexpected = [...log.messages, ...log.foreignRequests];
    const isFailed = test.task.result?.state === 'fail' || unexpected.length > 0;
    if (isFailed && !page.isClosed()) await saveFailure(page, log, test, number);
    await end(isFailed);
    if (unexpected.length > 0) throw new Error(`Unexpected console messages or requests:\n${unexpected.join('\n')}`);
  }
}

const requireChromium = (context: Pick<TestContext, 'skip'>): void =>
  requireProgram(context, { command: 'chromium', install: 'apt-get install chromium' });

/** Tests with `browser`. They are skipped where Chromium is not installed. */
export const browserTest = test
  .extend('chromium', { scope: 'worker' }, async ({}, { onCleanup }) => {
    onCleanup(() => chromiumOfWorker.close());
    return chromiumOfWorker;
  })
  .extend('browser', async ({ chromium, skip }) => {
    requireChromium({ skip });
    return new TestBrowser(chromium);
  });

/** For the tests of the surrounding `describe`, if they are not tests of `browserTest`. With arguments it is a Chromium of its own. */
export const useBrowser = (...args: readonly string[]): TestBrowser => {
  const own = args.length === 0 ? undefined : new LazyChromium(args);
  beforeEach(requireChromium);
  // Ends the Chromium of the worker at the end of the worker.
  browserTest.beforeAll(({ chromium: _ }) => undefined);
  afterAll(() => own?.close(), HOOK_TIMEOUT);
  return new TestBrowser(own);
};
