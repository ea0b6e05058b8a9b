import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clone } from './clone.ts';

interface Inside {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

const licenceText = (folder: string): string => {
  const names = readdirSync(folder).filter(name => /^(?:licen[cs]e|copying|notice)/i.test(name));
  return names
    .sort()
    .map(name => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
};

const insideOf = (path: string): Inside => {
  const folder = join(clone, path);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Partial<Inside>;
  if (name === undefined || version === undefined || typeof license !== 'string')
    throw new Error(`${path}/package.json does not say what it is and under which licence`);
  return { name, version, license, text: licenceText(folder) };
};

const HEAD = `Lintel is under the Apache License 2.0, which is on Debian systems in /usr/share/common-licenses/Apache-2.0.

bin/node is Node.js, whose licences are in LICENSE.node beside this file. The programs have inside, from npm:
`;

/** The file `copyright`: what is inside the bundled programs, and under which licence each part is. */
export const copyrightOf = (packages: readonly string[]): string => {
  const inside = packages.map(insideOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  const list = inside.map(({ name, version, license }) => `  ${name} ${version}: ${license}`);
  const texts = inside
    .filter(({ text }) => text !== '')
    .map(({ name, version, text }) => `\n${'-'.repeat(78)}\n${name} ${version}\n\n${text}\n`);
  return `${HEAD}\n${list.join('\n')}\n${texts.join('')}`;
};
