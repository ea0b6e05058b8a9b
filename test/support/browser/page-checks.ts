import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const require = createRequire(import.meta.url);
/** Minified, because every checked page parses it. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Narrower, wider and taller than the usual fonts, so that the installed fonts hardly matter.
 * A single `monospace` would also shrink the root font size, and with it everything in `rem`.
 */
const fontStacks = {
  installed: '',
  narrow: '* { font-family: sans-serif !important; letter-spacing: -0.06em !important; }',
  wide: '* { font-family: monospace, monospace !important; letter-spacing: 0.08em !important; }',
  tall: `
    @font-face {
      font-family: tall;
      src: local("DejaVu Sans"), local("Liberation Sans"), local("Noto Sans"), local("Arial"), local("Roboto"),
        local("Helvetica Neue"), local("FreeSans");
      ascent-override: 130%;
      descent-override: 45%;
    }
    * { font-family: tall, sans-serif !important; }
  `,
} as const;
export type FontStack = keyof typeof fontStacks;

/** A script that makes the page use a font stack. Constructed style sheets need no permission from the page's policy. */
export const useFontStack = (stack: FontStack): string => `
  (() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(fontStacks[stack])});
    document.adoptedStyleSheets = [sheet];
  })()
`;

/** With each font stack, the elements that stick out of a page that is wider than its window. */
const findOverflow = (stacks: readonly FontStack[]): string => `
  (() => {
    const overflow = {};
    for (const [stack, use] of [${stacks.map(stack => `['${stack}', () => ${useFontStack(stack).trim()}]`).join()}]) {
      use();
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) continue;
      overflow[stack] = Array.from(document.body.querySelectorAll('*'))
        .filter(element => element.getBoundingClientRect().right > clientWidth + 0.5)
        .map(element => element.cloneNode(false).outerHTML + ' ' + element.textContent.slice(0, 40));
    }
    return overflow;
  })()
`;

/** Checks that the page does not scroll sideways, with fonts of any width. */
export const expectToFit = async (page: Page): Promise<void> => {
  const found = { url: page.url(), overflow: await page.evaluate(findOverflow(['narrow', 'wide', 'installed'])) };
  expect(found).toEqual({ ...found, overflow: {} });
};

export const accessibilityViolations = async (page: Page): Promise<readonly string[]> => {
  // Strings, because the page's policy allows no other script.
  if (await page.evaluate<boolean>('globalThis.axe === undefined')) await page.evaluate(`${axe}; undefined`);
  // Only what is reported leaves the page: the whole result takes as long as the check.
  return page.evaluate<string[]>(`
    axe.run({ resultTypes: ['violations'], selectors: false, iframes: false, preload: false }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(node => node.html).join(' ')))
  `);
};

/** `SCREENS_IN=DIR` keeps the screenshots of all checked screens. */
export const keepScreenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SCREENS_IN'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}-${page.viewportSize()?.width}.png`), fullPage: true });
};

/** Checks that the screen fits with any font and that axe finds no violation. */
export const checkScreen = async (page: Page, name?: string): Promise<void> => {
  if (name !== undefined) await keepScreenshot(page, name);
  await expectToFit(page);
  const found = { url: page.url(), violations: await accessibilityViolations(page) };
  expect(found).toEqual({ ...found, violations: [] });
};

/** Texts that are cut off or lie over each other, inside each element that the selector finds. */
const findTextProblems = (selector: string): string => `
  (() => {
    const problems = [];
    const isSeen = element => element.checkVisibility() && element.closest('.unseen') === null;
    const rectsOf = container => {
      const rects = [];
      const texts = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode;
        if (node.textContent.trim() === '' || !isSeen(node.parentElement)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) rects.push({ node, rect });
      }
      return rects;
    };
    for (const container of document.querySelectorAll(${JSON.stringify(selector)})) {
      for (const element of [container, ...container.querySelectorAll('*')]) {
        if (!isSeen(element) || element.textContent.trim() === '') continue;
        const { overflowX, overflowY } = getComputedStyle(element);
        const isClipped = overflow => overflow === 'hidden' || overflow === 'clip';
        const isCut =
          (isClipped(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (isClipped(overflowY) && element.scrollHeight > element.clientHeight + 1);
        if (isCut) problems.push('cut: ' + element.textContent.trim().slice(0, 80));
      }
      const rects = rectsOf(container);
      for (const [index, one] of rects.entries()) {
        for (const other of rects.slice(index + 1)) {
          if (one.node === other.node) continue;
          const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
          const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
          if (width > 2 && height > 4)
            problems.push('overlap: ' + one.node.textContent.trim() + ' | ' + other.node.textContent.trim());
        }
      }
    }
    return problems;
  })()
`;

export const textProblemsIn = (page: Page, selector: string): Promise<readonly string[]> =>
  page.evaluate(findTextProblems(selector));
