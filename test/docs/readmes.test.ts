import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { packageRules } from '../architecture/package-rules.ts';
import { blocksOf } from './markdown.test-support.ts';

const run = promisify(execFile);

describe.each(Object.entries(packageRules))('README of %s', (_name, { folder }) => {
  const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
  const blocks = blocksOf(text);

  it('has an example', () => {
    expect(blocks.map(({ language }) => language)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:ts|sh)$/)]),
    );
  });

  it('names folders and files that exist', () => {
    const named = [...text.matchAll(/`((?:docs|simulator|hardware-profiles|packages|console)\/[\w./-]+)`/g)];
    expect(
      named.map(([, path]) => path!).filter(path => !path.endsWith('dist') && !existsSync(join(root, path))),
    ).toEqual([]);
  });

  it('lists folders of its sources that exist', () => {
    const [, table = ''] = text.split('| folder | contents |\n|---|---|\n');
    const cells = [...table.split('\n\n')[0]!.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell]) => [
      ...cell!.matchAll(/`([^`]+)`/g),
    ]);
    expect(cells.map(([, name]) => name!).filter(name => !existsSync(join(root, folder, 'src', name)))).toEqual([]);
  });

  it.each(blocks.flatMap(({ language, text }, index) => (language === 'ts' ? [{ text, index }] : [])))(
    'has an example that runs',
    async ({ text: code, index }) => {
      const { stdout } = await run(
        process.execPath,
        ['--conditions=lintel-source', '--input-type=module-typescript', '-e', code],
        { cwd: root },
      );
      const expected = blocks[index + 1];
      if (expected?.language === 'text') expect(stdout).toBe(expected.text);
    },
  );
});
