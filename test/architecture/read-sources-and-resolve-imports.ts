import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { packageRules } from './package-rules.ts';

export const root = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** The name of its package or program; `test`, or `root` for a file at the top. */
  readonly owner: string;
  readonly imports: readonly string[];
}

const importsOf = (path: string): string[] => {
  const text = readFileSync(join(root, path), 'utf8');
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const request = text.slice(start, end);
    return /^['"`][^$]*['"`]$/.test(request) ? [request.slice(1, -1)] : [];
  });
  return [
    ...module.staticImports.map(entry => entry.moduleRequest.value),
    ...module.staticExports.flatMap(entry => entry.entries.flatMap(one => one.moduleRequest?.value ?? [])),
    ...dynamic,
    ...[...text.matchAll(/\bimport\.meta\.resolve\(\s*'([^']+)'/g)].map(([, specifier]) => specifier!),
  ];
};

const owners = Object.entries(packageRules).map(([name, { folder }]) => ({ name, prefix: `${folder}/` }));

const ownerOf = (path: string): string => {
  if (!path.includes('/')) return 'root';
  return owners.find(({ prefix }) => path.startsWith(prefix))?.name ?? path.split('/')[0]!;
};

/** Every TypeScript file of the repository. */
export const readSources = (): SourceFile[] =>
  globSync('**/*.{ts,tsx}', {
    cwd: root,
    exclude: path => /(?:^|\/)(?:node_modules|dist|test-results|\.[^/]+)(?:\/|$)/.test(path),
  }).map(path => ({ path, owner: ownerOf(path), imports: importsOf(path) }));

interface PackageFile {
  /** A package that can be installed elsewhere has its sources under a condition of this repository. */
  readonly exports?: Readonly<Record<string, string | { readonly 'lintel-source': string }>>;
}

/** The public entries of a package, as patterns of its `exports`, with the source files. */
export const exportsOf = (folder: string): ReadonlyArray<readonly [string, string]> => {
  const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageFile;
  return Object.entries(exports).map(([entry, file]) => [
    entry,
    typeof file === 'string' ? file : file['lintel-source'],
  ]);
};

const exported = new Map(
  [...Object.entries(packageRules).map(([name, { folder }]) => [name, folder] as const), ['test', 'test'] as const].map(
    ([name, folder]) => [name, { folder, entries: exportsOf(folder) }],
  ),
);

const matchEntry = ([pattern, file]: readonly [string, string], subpath: string): string | null => {
  const [before, after] = pattern.split('*');
  if (after === undefined) return pattern === subpath ? file : null;
  if (!subpath.startsWith(before!) || !subpath.endsWith(after)) return null;
  return file.replace('*', subpath.slice(before!.length, subpath.length - after.length));
};

/** The file that an import names, null for a package from npm, undefined for an entry that `exports` does not have. */
export const resolveImport = (file: SourceFile, specifier: string): string | null | undefined => {
  if (specifier.startsWith('.')) return normalize(join(dirname(file.path), specifier));
  const own = /^@lintel\/([^/]+)(\/.+)?$/.exec(specifier);
  if (own === null) return null;
  const found = exported.get(own[1]!);
  const matches = found?.entries.flatMap(entry => matchEntry(entry, `.${own[2] ?? ''}`) ?? []) ?? [];
  return matches[0] === undefined ? undefined : normalize(join(found!.folder, matches[0]));
};
