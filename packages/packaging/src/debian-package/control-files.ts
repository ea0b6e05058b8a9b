import {
  listPackageFolders,
  type DebianPackageTree,
  sortDebianPackageTree,
  createDebianPackageTextEntry,
} from './package-tree.ts';

export type DebianArch = 'arm64' | 'amd64';

export interface DebianPackageMetadata {
  readonly name: string;
  readonly version: string;
  readonly arch: DebianArch;
  readonly summary: string;
  readonly description: readonly string[];
  readonly depends: readonly string[];
  readonly recommends: readonly string[];
}

/** In KiB, as dpkg counts: each file takes whole ones, each folder one. */
export const computeDebianInstalledSize = (tree: DebianPackageTree): number =>
  listPackageFolders(tree).length +
  tree.reduce((sum, entry) => sum + ('target' in entry ? 1 : Math.ceil(entry.content.length / 1024)), 0);

const field = (name: string, values: readonly string[]): string[] =>
  values.length === 0 ? [] : [`${name}: ${values.join(', ')}`];

const controlText = (facts: DebianPackageMetadata, tree: DebianPackageTree): string =>
  [
    `Package: ${facts.name}`,
    `Version: ${facts.version}`,
    `Architecture: ${facts.arch}`,
    'Maintainer: Lintel <packages@lintel.invalid>',
    `Installed-Size: ${computeDebianInstalledSize(tree)}`,
    ...field('Depends', facts.depends),
    ...field('Recommends', facts.recommends),
    'Section: admin',
    'Priority: optional',
    `Description: ${facts.summary}`,
    ...facts.description.map(line => ` ${line === '' ? '.' : line}`),
    '',
  ].join('\n');

/** dpkg asks before it overwrites one of these that an administrator has changed. */
const conffiles = (tree: DebianPackageTree): string =>
  sortDebianPackageTree(tree)
    .filter(entry => 'content' in entry && entry.path.startsWith('etc/'))
    .map(({ path }) => `/${path}\n`)
    .join('');

/** dpkg makes the checksums of the installed files itself. */
export const createDebianControlFiles = (
  facts: DebianPackageMetadata,
  tree: DebianPackageTree,
  scripts: DebianPackageTree,
): DebianPackageTree => [
  createDebianPackageTextEntry('control', controlText(facts, tree)),
  createDebianPackageTextEntry('conffiles', conffiles(tree)),
  ...scripts,
];
