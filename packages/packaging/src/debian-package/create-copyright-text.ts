import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

const licenseText = (folder: string): string => {
  const names = readdirSync(folder).filter(name => /^(?:licen[cs]e|copying|notice)/i.test(name));
  return names
    .sort()
    .map(name => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
};

const describePackage = (path: string): BundledPackage => {
  const folder = join(repositoryRoot, path);
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Partial<BundledPackage>;
  if (name === undefined || version === undefined || typeof license !== 'string')
    throw new Error(`${path}/package.json lacks name, version or license`);
  return { name, version, license, text: licenseText(folder) };
};

const HEAD = `Lintel is under the Apache License 2.0, which is on Debian systems in /usr/share/common-licenses/Apache-2.0.

bin/node is Node.js, whose licenses are in LICENSE.node beside this file. The programs contain these packages from npm:
`;

/** The file `copyright`: the packages in the bundled programs and their licenses. */
export const createCopyrightText = (packages: readonly string[]): string => {
  const bundled = packages.map(describePackage).sort((a, b) => (a.name < b.name ? -1 : 1));
  const list = bundled.map(({ name, version, license }) => `  ${name} ${version}: ${license}`);
  const texts = bundled
    .filter(({ text }) => text !== '')
    .map(({ name, version, text }) => `\n${'-'.repeat(78)}\n${name} ${version}\n\n${text}\n`);
  return `${HEAD}\n${list.join('\n')}\n${texts.join('')}`;
};
