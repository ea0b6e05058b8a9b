import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/browser/console-fixture.ts';
import { consoleRoutes, useScreenObjects } from '../support/browser/console-routes-and-screen-objects.ts';
import { createScreenNavigation } from '../support/browser/console-screen-navigation.ts';
import { checkScreen, expectToFit, keepScreenshot } from '../support/browser/page-checks.ts';
import { desktop, phone } from '../support/browser/test-browser.ts';

const screenName = (locale: string, path: string): string => `${locale.slice(0, 2)}${path.replaceAll(/[/:]+/g, '-')}`;

/** German words are the longest, which matters on a phone. The language does not change how accessible a screen is. */
const languages = [
  {
    locale: 'en-GB',
    behavior: 'fit at 360 and 1280 px and are accessible',
    sizes: [phone, desktop],
    check: checkScreen,
  },
  { locale: 'de-DE', behavior: 'fit at 360 px', sizes: [phone], check: expectToFit },
];

describe.each(languages)('all screens of the console in $locale', ({ locale, behavior, sizes, check }) => {
  const hotel = useConsole();
  const fill = useScreenObjects(hotel);

  it(`${behavior}, and are marked in the navigation`, { tags: ['slow'] }, async () => {
    const page = await hotel.open('', { ...phone, locale });
    const showScreen = createScreenNavigation(page);
    const marked = page.locator(':is(.side-navigation, .bottom-navigation) [aria-current]').locator('visible=true');
    for (const { path } of consoleRoutes) {
      for (const { viewport } of sizes) {
        await page.setViewportSize(viewport!);
        await showScreen(hotel.pathOf(fill(path)));
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        const lang = await page.locator('html').getAttribute('lang');
        const shown = { path, lang, marked: await marked.count() };
        expect(shown).toEqual({ path, lang: locale.slice(0, 2), marked: path === '/start' ? 0 : 1 });
        await keepScreenshot(page, screenName(locale, path));
        await check(page);
      }
    }
  });
});
