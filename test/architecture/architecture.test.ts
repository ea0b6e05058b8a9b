import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycle, folderGraphs } from './find-import-cycles.ts';
import { readSources, root, resolveImport, type SourceFile } from './read-sources-and-resolve-imports.ts';
import { packageRules } from './package-rules.ts';

const sources = readSources();
const isTest = ({ path, owner }: SourceFile): boolean =>
  owner === 'test' || /\.test(-support)?\.tsx?$|\/src\/testing(\.ts$|\/)/.test(path) || path.includes('/golden/');
/** Builds or checks a package, but does not run in it. */
const isTool = ({ path, owner }: SourceFile): boolean => owner === 'root' || !path.includes('/src/');
const production = sources.filter(file => !isTest(file) && !isTool(file));
const testTools = new Set(['vitest', 'fast-check']);

const packageName = (specifier: string): string => {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
};

/** The imports that `isAllowed` rejects, as `file → import`. */
const offenders = (
  files: readonly SourceFile[],
  isAllowed: (file: SourceFile, specifier: string) => boolean,
): string[] =>
  files.flatMap(file => file.imports.filter(one => !isAllowed(file, one)).map(one => `${file.path} → ${one}`));

const ownPackageOf = (specifier: string): string | null => /^@lintel\/([^/]+)/.exec(specifier)?.[1] ?? null;

describe('Architecture', () => {
  it('reads every package and the files at the top', () => {
    expect(production.length).toBeGreaterThan(900);
    expect(new Set(sources.map(({ owner }) => owner))).toEqual(new Set([...Object.keys(packageRules), 'test', 'root']));
  });

  it('has a workspace for each package and program', () => {
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
    const folders = workspaces.flatMap(pattern => globSync(pattern, { cwd: root }));
    expect(folders.sort()).toEqual([...Object.values(packageRules).map(({ folder }) => folder), 'test'].sort());
  });

  it('lets each package import only the packages below it', () => {
    const wrong = offenders(
      sources.filter(({ owner }) => owner !== 'test' && owner !== 'root'),
      (file, specifier) => {
        const target = ownPackageOf(specifier);
        if (target === null) return true;
        if (isTest(file) && ['test', 'simulator', 'member-sdk'].includes(target)) return true;
        return packageRules[file.owner]?.imports.includes(target) ?? false;
      },
    );
    expect(wrong).toEqual([]);
  });

  it('imports other packages through their public entries', () => {
    const wrong = offenders(sources, (file, specifier) => resolveImport(file, specifier) !== undefined);
    expect(wrong).toEqual([]);
  });

  it('keeps relative imports inside a package, except in test/', () => {
    const wrong = offenders(
      sources.filter(({ owner }) => owner !== 'test' && owner !== 'root'),
      (file, specifier) =>
        !specifier.startsWith('.') ||
        (resolveImport(file, specifier)?.startsWith(`${packageRules[file.owner]?.folder}/`) ?? false),
    );
    expect(wrong).toEqual([]);
  });

  it('imports only files that exist', () => {
    const wrong = offenders(sources, (file, specifier) => {
      const target = resolveImport(file, specifier);
      return target === null || target === undefined || existsSync(join(root, target));
    });
    expect(wrong).toEqual([]);
  });

  it('exports only files that exist and that another package uses', () => {
    const used = new Set(sources.flatMap(file => file.imports.filter(one => ownPackageOf(one) !== null)));
    const wrong = Object.entries(packageRules).flatMap(([name, { folder }]) => {
      const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        exports?: Record<string, string>;
      };
      return Object.entries(exports)
        .filter(([entry]) => !entry.includes('*'))
        .filter(
          ([entry, file]) => !existsSync(join(root, folder, file)) || !used.has(`@lintel/${name}${entry.slice(1)}`),
        )
        .map(([entry]) => `${name}: ${entry}`);
    });
    expect(wrong).toEqual([]);
  });

  it('keeps browser code free of node: modules and of npm packages that are not listed', () => {
    const wrong = offenders(
      sources.filter(({ owner }) => owner !== 'test' && owner !== 'root'),
      (file, specifier) => {
        if (specifier.startsWith('.') || ownPackageOf(specifier) !== null) return true;
        const layer = packageRules[file.owner];
        if (specifier.startsWith('node:')) return layer?.node === true || isTest(file) || isTool(file);
        if (isTest(file) && testTools.has(packageName(specifier))) return true;
        return isTool(file) || layer?.npm === undefined || layer.npm.includes(packageName(specifier));
      },
    );
    expect(wrong).toEqual([]);
  });

  it('does not import tests from production code', () => {
    const wrong = offenders(
      production,
      (_, specifier) =>
        !/\.test|^vitest$|^fast-check$|^@lintel\/test|^@lintel\/[^/]+\/testing$|^\.{1,2}\/(?:.+\/)?testing(?:\.ts$|\/)/.test(
          specifier,
        ),
    );
    expect(wrong).toEqual([]);
  });

  it('has no import cycle between files', () => {
    const graph = new Map(
      sources.map(file => [file.path, new Set(file.imports.flatMap(one => resolveImport(file, one) ?? []))]),
    );
    expect(findCycle(graph)).toBeNull();
  });

  it('has no import cycle between folders', () => {
    const imports = production.flatMap(file =>
      file.imports.flatMap(one => {
        const target = resolveImport(file, one);
        return target === null || target === undefined ? [] : [[file.path, target] as const];
      }),
    );
    const cycles = [...folderGraphs(imports)].flatMap(([folder, graph]) => {
      const cycle = findCycle(graph);
      return cycle === null ? [] : [`${folder}: ${cycle}`];
    });
    expect(cycles).toEqual([]);
  });

  it('has simulated parts in the simulator only', () => {
    const wrong = production.filter(
      ({ path, owner }) => owner !== 'simulator' && /\/simulated|\/virtual-hardware/.test(path),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('keeps clocks, randomness and timers out of access-core', () => {
    const forbidden =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\b|\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b|\bcrypto\b|\bprocess\b|\bglobalThis\b/;
    const wrong = production
      .filter(({ owner }) => owner === 'access-core')
      .flatMap(({ path }) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            forbidden.test(line.replace(/^\s*(?:\*|\/\/|\/\*).*$/, '')) ? [`${path}:${index + 1}`] : [],
          ),
      );
    expect(wrong).toEqual([]);
  });

  it('does not read the path of a file from its URL, where a space is %20', () => {
    const wrong = sources.filter(({ path }) =>
      /import\.meta\.url\)\s*\.pathname/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('has no file or folder called util, common, helpers, shared or misc', () => {
    const wrong = production.filter(({ path }) =>
      /(?:^|\/)(?:utils?|common|helpers?|shared|misc|lib)(?:\/|\.ts$)/.test(path),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('has one suffix for test files', () => {
    const wrong = sources.filter(
      ({ path }) => !/\/[^.]+(?:\.test|\.test-support|\.config|\.d)?\.tsx?$/.test(`/${path}`),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('declares each class, and each exported type and component, once', () => {
    const declaration =
      /^(?:export (?:declare )?(?:(?:abstract )?class|interface|type|enum|const|function) ([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)|(?:abstract )?class (\w+))\b/gm;
    const declared = sources.flatMap(({ path }) => {
      const text = readFileSync(join(root, path), 'utf8');
      if (text.startsWith('// Generated by')) return [];
      const names = [...text.matchAll(declaration)].map(([, exported, own]) => exported ?? own ?? '');
      return [...new Set(names)].map(name => ({ name, path }));
    });
    const repeated = [...Map.groupBy(declared, ({ name }) => name)].filter(([, places]) => places.length > 1);
    expect(repeated.map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`)).toEqual([]);
  });

  it('keeps files that people write under 400 lines', () => {
    const long = production
      .map(({ path }) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }))
      .filter(({ lines }) => lines.length > 400 && lines[0]?.startsWith('// Generated by') !== true);
    expect(long.map(({ path, lines }) => ({ path, lines: lines.length }))).toEqual([]);
  });
});
