import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { anchorsOf, linksOf, pages, readPage } from './markdown.test-support.ts';

const isLocal = (link: string): boolean => !/^[a-z]+:/.test(link);

const targetOf = (page: string, link: string): { file: string; anchor: string | undefined } => {
  const [path, anchor] = link.split('#');
  return { file: path === '' ? page : normalize(join(dirname(page), path!)), anchor };
};

const isBroken = (page: string, link: string): boolean => {
  const { file, anchor } = targetOf(page, link);
  if (!existsSync(join(root, file))) return true;
  return anchor !== undefined && !anchorsOf(readPage(file)).has(anchor);
};

const reachableFrom = (page: string, seen = new Set<string>()): Set<string> => {
  seen.add(page);
  for (const link of linksOf(readPage(page)).filter(isLocal)) {
    const { file } = targetOf(page, link);
    if (file.endsWith('.md') && !seen.has(file)) reachableFrom(file, seen);
  }
  return seen;
};

describe('documentation', () => {
  it.each(pages)('%s has no broken link', page => {
    expect(
      linksOf(readPage(page))
        .filter(isLocal)
        .filter(link => isBroken(page, link)),
    ).toEqual([]);
  });

  it.each(pages.filter(page => page.startsWith('docs/')))('%s opens with what the reader can do with it', page => {
    const [, opening = ''] = readPage(page).split(/\n\n/);
    expect(opening).toMatch(/^(?:This page |In this tutorial you |Use )/);
  });

  it('can be reached from its index', () => {
    const reached = reachableFrom('docs/README.md');
    expect(pages.filter(page => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
  });

  it('has the pages that the source code names', () => {
    const sources = globSync('{*,packages/*}/src/**/*.{ts,tsx}', { cwd: root, exclude: ['node_modules'] });
    const named = sources.flatMap(source =>
      [...readFileSync(join(root, source), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => ({
        source,
        page,
      })),
    );
    expect(named.filter(({ page }) => !pages.includes(page))).toEqual([]);
  });
});
