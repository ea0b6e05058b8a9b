import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** The open requests of a page. Its event stream does not count, because it stays open. */
const trackRequests = (page: Page): ReadonlySet<Request> => {
  const open = new Set<Request>();
  page.on('request', request => request.resourceType() !== 'eventsource' && open.add(request));
  page.on('requestfinished', request => open.delete(request));
  page.on('requestfailed', request => open.delete(request));
  return open;
};

const followLink = (path: string): string => `
  new Promise(shown => {
    history.pushState(null, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'));
    requestAnimationFrame(() => requestAnimationFrame(shown));
  })
`;

/** Opens screens of the console without loading the page again, as its links do. This is much faster. */
export const createScreenNavigation = (page: Page): ((path: string) => Promise<void>) => {
  const open = trackRequests(page);
  return async path => {
    await page.evaluate(followLink(path));
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await expect.poll(() => open.size, { interval: 10 }).toBe(0);
  };
};
