import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';

/** Every page of the documentation, relative to the repository. */
export const pages: readonly string[] = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', '*/README.md', 'deploy/**/*.md'],
  {
    cwd: root,
    exclude: ['node_modules'],
  },
).sort();

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a page, also those inside lists. */
export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)].map(([, indent, language, text]) => ({
    language: language!,
    text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));

const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^( *)```.*?^\1```$/gms, '');

/** The text of each inline code span. */
export const codeSpansOf = (markdown: string): string[] =>
  [...withoutBlocks(markdown).matchAll(/`([^`]+)`/g)].map(([, text]) => text!);

/** The targets of links and images. */
export const linksOf = (markdown: string): string[] =>
  [...withoutBlocks(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

/** The anchors that GitHub gives to headings. */
export const anchorsOf = (markdown: string): Set<string> =>
  new Set(
    [...withoutBlocks(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
