import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/browser/console-fixture.ts';
import { germanPhone } from '../support/browser/console-pages.ts';
import { consoleRoutes, useScreenObjects } from '../support/browser/console-screens.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop } from '../support/browser/test-browser.ts';

const widths: readonly [string, BrowserContextOptions][] = [
  ['360 px', germanPhone],
  ['1280 px', { ...desktop, locale: 'de-DE' }],
];

const nameOf = (path: string): string => `de${path.replaceAll(/[/:]+/g, '-')}`;

describe.each(widths)('all screens of the console in German at %s', { tags: ['slow'] }, (_, options) => {
  const hotel = useConsole();
  const fill = useScreenObjects(hotel);

  it.each(consoleRoutes.map(({ path }) => path))(
    '%s fits, is accessible and is marked in the navigation',
    async path => {
      const page = await hotel.open(fill(path), options);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const marked = page.locator(':is(.side-navigation, .bottom-navigation) [aria-current]').locator('visible=true');
      expect(await marked.count()).toBe(path === '/start' ? 0 : 1);
      await checkScreen(page, nameOf(path));
    },
  );
});
