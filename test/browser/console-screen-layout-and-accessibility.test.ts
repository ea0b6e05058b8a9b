import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/browser/console-fixture.ts';
import { consoleRoutes, useScreenObjects } from '../support/browser/console-routes-and-screen-objects.ts';
import { checkScreen, expectToFit, keepScreenshot } from '../support/browser/page-checks.ts';
import { desktop, phone } from '../support/browser/test-browser.ts';

const screenName = (locale: string, path: string): string => `${locale.slice(0, 2)}${path.replaceAll(/[/:]+/g, '-')}`;

/** German words are the longest, which matters on a phone. The language does not change how accessible a screen is. */
const languages = [
  {
    locale: 'en-GB',
    behavior: 'fits at 360 and 1280 px and is accessible',
    sizes: [phone, desktop],
    check: checkScreen,
  },
  { locale: 'de-DE', behavior: 'fits at 360 px', sizes: [phone], check: expectToFit },
];

describe.each(languages)(
  'all screens of the console in $locale',
  { tags: ['slow'] },
  ({ locale, behavior, sizes, check }) => {
    const hotel = useConsole();
    const fill = useScreenObjects(hotel);

    it.each(consoleRoutes.map(({ path }) => path))(`%s ${behavior}, and is marked in the navigation`, async path => {
      const page = await hotel.open(fill(path), { ...phone, locale });
      for (const { viewport } of sizes) {
        await page.setViewportSize(viewport!);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.waitForLoadState('networkidle');
        expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
        const marked = page.locator(':is(.side-navigation, .bottom-navigation) [aria-current]').locator('visible=true');
        expect(await marked.count()).toBe(path === '/start' ? 0 : 1);
        await keepScreenshot(page, screenName(locale, path));
        await check(page);
      }
    });
  },
);
