import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportsOf, readSources, root, resolveImport, type SourceFile } from './read-sources-and-resolve-imports.ts';
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

/** A cycle as a readable path, or null. */
const findCycle = (graph: ReadonlyMap<string, ReadonlySet<string>>): string | null => {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node].join(' → ');
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== null) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
};

/** The first folder below `src`; for a file directly in it the file. */
const folderBelowSources = (path: string, folder: string): string =>
  path.slice(`${folder}/src/`.length).split('/')[0] ?? '';

const ownPackageOf = (specifier: string): string | null => /^@lintel\/([^/]+)/.exec(specifier)?.[1] ?? null;

describe('Architecture', () => {
  it('reads every package and the files at the top', () => {
    expect(new Set(production.map(({ owner }) => owner))).toEqual(new Set(Object.keys(packageRules)));
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
        if (isTest(file) && ['test', 'simulator', 'member-sdk', 'hardware-profiles'].includes(target)) return true;
        return packageRules[file.owner]?.imports.includes(target) ?? false;
      },
    );
    expect(wrong).toEqual([]);
  });

  it('imports other packages through their public entries', () => {
    const wrong = offenders(sources, (file, specifier) => resolveImport(file, specifier) !== undefined);
    expect(wrong).toEqual([]);
  });

  it('keeps relative imports inside a package and inside test/', () => {
    const wrong = offenders(
      sources.filter(({ owner }) => owner !== 'root'),
      (file, specifier) =>
        !specifier.startsWith('.') ||
        (resolveImport(file, specifier)?.startsWith(`${packageRules[file.owner]?.folder ?? file.owner}/`) ?? false),
    );
    expect(wrong).toEqual([]);
  });

  it('starts programs from tests by their public entries and by the commands of the documentation', () => {
    const fromFile = /\(import\.meta\.dirname,\s*'([^']+\.tsx?)'|\bnew URL\('([^']+\.tsx?)', import\.meta\.url\)/g;
    const fromRoot = /\bjoin\((?:home|clone|root),\s*'([^']+\.tsx?)'/g;
    const wrong = sources
      .filter(({ owner }) => owner === 'test')
      .flatMap(({ path }) => {
        const text = readFileSync(join(root, path), 'utf8');
        const named = [
          ...[...text.matchAll(fromFile)].map(([, joined, url]) => normalize(join(dirname(path), joined ?? url ?? ''))),
          ...[...text.matchAll(fromRoot)].map(([, file]) => file!),
        ];
        return named.filter(file => !file.startsWith('test/')).map(file => `${path} → ${file}`);
      });
    const allowed = [
      'cli/src/lintel.ts',
      'console/build.ts',
      'simulator/src/main.ts',
      // Loaded without its types, which are those of a browser.
      'console/src/admin/routes.ts',
    ];
    expect(wrong.filter(one => !allowed.some(file => one.endsWith(` → ${file}`)))).toEqual([]);
  });

  it('exports only files that exist and that another package uses', () => {
    const used = new Set(sources.flatMap(file => file.imports.filter(one => ownPackageOf(one) !== null)));
    const wrong = Object.entries(packageRules).flatMap(([name, { folder }]) => {
      return exportsOf(folder)
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

  it('does not import tests and testing entries from production code, so that no bundle contains them', () => {
    const isOfTests = (specifier: string): boolean =>
      /\.test|^vitest$|^fast-check$|^@lintel\/test\//.test(specifier) ||
      /^@lintel\/[^/]+\/testing(?:$|\/)|^\.{1,2}\/(?:.+\/)?testing(?:\.ts$|\/)/.test(specifier);
    const wrong = offenders(
      sources.filter(file => !isTest(file)),
      (_, specifier) => !isOfTests(specifier),
    );
    expect(wrong).toEqual([]);
  });

  it('has no import cycle between files', () => {
    const graph = new Map(
      sources.map(file => [file.path, new Set(file.imports.flatMap(one => resolveImport(file, one) ?? []))]),
    );
    expect(findCycle(graph)).toBeNull();
  });

  it('has no import cycle between the folders of a package', () => {
    const cycles = Object.entries(packageRules).flatMap(([name, { folder }]) => {
      const graph = new Map<string, Set<string>>();
      for (const file of production.filter(({ owner }) => owner === name)) {
        const from = folderBelowSources(file.path, folder);
        const targets = graph.get(from) ?? graph.set(from, new Set()).get(from)!;
        for (const one of file.imports.filter(specifier => specifier.startsWith('.'))) {
          const to = folderBelowSources(resolveImport(file, one)!, folder);
          if (to !== from) targets.add(to);
        }
      }
      const cycle = findCycle(graph);
      return cycle === null ? [] : [`${name}: ${cycle}`];
    });
    expect(cycles).toEqual([]);
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

  it('repeats timers with repeatEvery only, which survives a failing system call', () => {
    const programs = new Set([
      'cloud-bridge',
      'gateway',
      'device-runtime',
      'broker',
      'service',
      'device-link',
      'updates',
      'drivers',
    ]);
    const wrong = production
      .filter(({ path, owner }) => programs.has(owner) && !path.endsWith('/timing/repeating-timer.ts'))
      .filter(({ path }) => /\bsetInterval\(/.test(readFileSync(join(root, path), 'utf8')));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('limits the connections of every listener of a program', () => {
    const programs = new Set(['cloud-bridge', 'gateway', 'device-runtime', 'broker']);
    const wrong = production
      .filter(({ owner }) => programs.has(owner))
      .map(({ path }) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
      .filter(({ text }) => /\bcreate(?:Tls)?Server\(|\bFastify\(/.test(text) && !/imitConnections/.test(text))
      .map(({ path }) => path);
    // Limited by the file that starts it.
    expect(wrong).toEqual(['device-runtime/src/technician/technician-fastify-app.ts']);
  });

  it('does not read the path of a file from its URL, where a space is %20', () => {
    const wrong = sources.filter(({ path }) =>
      /import\.meta\.url\)\s*\.pathname/.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('declares each class, and each exported type and component, once in its package', () => {
    const declaration =
      /^(?:export (?:declare )?(?:(?:abstract )?class|interface|type|enum|const|function) ([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)|(?:abstract )?class (\w+))\b/gm;
    const declared = sources.flatMap(({ path, owner }) => {
      const text = readFileSync(join(root, path), 'utf8');
      if (text.startsWith('// Generated by')) return [];
      const names = [...text.matchAll(declaration)].map(([, exported, own]) => exported ?? own ?? '');
      return [...new Set(names)].map(name => ({ name: `${owner}: ${name}`, path }));
    });
    const repeated = [...Map.groupBy(declared, ({ name }) => name)].filter(([, places]) => places.length > 1);
    expect(repeated.map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`)).toEqual([]);
  });

  // Arrow keys change a list or radio buttons, so a choice takes effect only with a button. The simulator has no people.
  it('sends no request when a choice changes', () => {
    const choice =
      /<(?:select|SelectField|GroupedSelectField|SegmentedControl)\b[^]*?onChange=\{([^]*?)\}(?:\n|>| \/>)/g;
    const effect =
      /\bvoid\b|\bawait\b|\bclient\.|\b(?:run|attempt|submit|save|send)\w*\(|\bon(?!Change|Choose)[A-Z]\w*\(/;
    const wrong = production
      .filter(({ path }) => path.startsWith('console/src/') && !path.startsWith('console/src/simulator/'))
      .flatMap(({ path }) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(choice)]
          .filter(([, handler]) => effect.test(handler!))
          .map(([, handler]) => `${path}: ${handler}`),
      );
    expect(wrong).toEqual([]);
  });
});
