import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { readPage } from './markdown.test-support.ts';

const namesIn = (pattern: string, name: RegExp): string[] =>
  globSync(pattern, { cwd: root, exclude: ['node_modules'] })
    .filter(file => !/\.test/.test(file))
    .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(name)].map(([, variable]) => variable!));

describe('docs/reference/configuration.md', () => {
  it('lists every environment variable that the programs read', () => {
    const used = new Set([
      ...namesIn('{*,packages/*}/src/**/*.ts', /'(LINTEL_[A-Z_]+)'/g),
      ...namesIn('packages/packaging/files/**/*.conf', /^(LINTEL_[A-Z_]+)=/gm),
    ]);
    const page = readPage('docs/reference/configuration.md');
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter(variable => !page.includes(`\`${variable}\``))).toEqual([]);
  });
});
