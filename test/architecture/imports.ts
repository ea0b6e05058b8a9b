import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

export const root = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly room: string;
  readonly imports: readonly string[];
}

const importsOf = (path: string): string[] => {
  const { module, errors } = parseSync(path, readFileSync(join(root, path), 'utf8'));
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const text = readFileSync(join(root, path), 'utf8').slice(start, end);
    return /^['"`][^$]*['"`]$/.test(text) ? [text.slice(1, -1)] : [];
  });
  return [
    ...module.staticImports.map(entry => entry.moduleRequest.value),
    ...module.staticExports.flatMap(entry => entry.entries.flatMap(one => one.moduleRequest?.value ?? [])),
    ...dynamic,
  ];
};

export const readSources = (rooms: readonly string[]): SourceFile[] =>
  rooms.flatMap(room =>
    globSync(`${room}/**/*.{ts,tsx}`, { cwd: root, exclude: path => path.includes('node_modules') }).map(path => ({
      path,
      room,
      imports: importsOf(path),
    })),
  );

/** The file that an import names, when it is one of ours: relative, or through a room's package name. */
export const targetOf = (file: SourceFile, specifier: string): string | null => {
  if (specifier.startsWith('.')) return normalize(join(dirname(file.path), specifier));
  const own = /^@lintel\/([^/]+)\/(.+)$/.exec(specifier);
  return own === null ? null : `${own[1]}/src/${own[2]}.ts`;
};
