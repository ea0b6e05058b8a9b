import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources, root, targetOf, type SourceFile } from './imports.ts';

/** The import table of the house. `packages`: npm packages allowed; absent means whatever the room declares. */
const table: Record<string, { rooms: string[]; packages?: string[]; node: boolean }> = {
  'access-core': { rooms: [], packages: [], node: false },
  'wire-protocol': { rooms: ['access-core'], packages: ['zod'], node: false },
  'hardware-profiles': { rooms: [], packages: ['zod'], node: true },
  'device-link': { rooms: ['access-core', 'wire-protocol'], node: true },
  'device-runtime': { rooms: ['access-core', 'wire-protocol', 'device-link', 'hardware-profiles'], node: true },
  gateway: { rooms: ['access-core', 'wire-protocol', 'device-link'], node: true },
  'cloud-bridge': { rooms: ['access-core', 'wire-protocol', 'device-link', 'hardware-profiles'], node: true },
  console: { rooms: ['access-core', 'wire-protocol'], node: false },
  simulator: {
    rooms: [
      'access-core',
      'wire-protocol',
      'device-link',
      'hardware-profiles',
      'device-runtime',
      'gateway',
      'cloud-bridge',
    ],
    node: true,
  },
};

const rooms = Object.keys(table);
const sources = readSources(rooms);
const isTest = (file: SourceFile): boolean =>
  /\.test(-support)?\.tsx?$/.test(file.path) || file.path.includes('/golden/');
/** What builds or tests a room, not what runs in it. */
const isTool = (file: SourceFile): boolean => !file.path.includes('/src/');
const production = sources.filter(file => !isTest(file) && file.path.includes('/src/'));
const testTools = new Set(['vitest', 'fast-check']);

const packageName = (specifier: string): string => {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
};

/** Every import of the files that `allowed` refuses, as `file → import`. */
const offenders = (files: readonly SourceFile[], allowed: (file: SourceFile, specifier: string) => boolean): string[] =>
  files.flatMap(file => file.imports.filter(one => !allowed(file, one)).map(one => `${file.path} → ${one}`));

describe('the house', () => {
  it('is read at all: an empty reading would pass every rule below', () => {
    expect(production.length).toBeGreaterThan(20);
    expect(production.flatMap(file => file.imports).length).toBeGreaterThan(40);
  });

  it('has exactly the rooms of the table as workspaces, and the test room', () => {
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
    expect([...workspaces].sort()).toEqual([...rooms, 'test'].sort());
    const folders = readdirSync(root, { withFileTypes: true })
      .filter(
        entry =>
          entry.isDirectory() && !entry.name.startsWith('.') && existsSync(join(root, entry.name, 'package.json')),
      )
      .map(entry => entry.name);
    expect(folders.sort()).toEqual([...rooms, 'test'].sort());
  });

  it('lets each room import only the rooms that the table allows', () => {
    const wrong = offenders(sources, (file, specifier) => {
      const target = targetOf(file, specifier);
      if (target === null) return !specifier.startsWith('@lintel/');
      const room = target.split('/')[0] ?? '';
      return room === file.room || (table[file.room]?.rooms.includes(room) ?? false);
    });
    expect(wrong).toEqual([]);
  });

  it('lets relative imports stay inside their room', () => {
    const wrong = offenders(
      sources,
      (file, specifier) =>
        !specifier.startsWith('.') || (targetOf(file, specifier)?.startsWith(`${file.room}/`) ?? false),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the pure rooms free of node: modules and of packages beyond the table', () => {
    const wrong = offenders(sources, (file, specifier) => {
      if (specifier.startsWith('.') || specifier.startsWith('@lintel/')) return true;
      const rule = table[file.room];
      if (specifier.startsWith('node:')) return rule?.node === true || isTest(file) || isTool(file);
      if (isTest(file) && testTools.has(packageName(specifier))) return true;
      return isTool(file) || rule?.packages === undefined || rule.packages.includes(packageName(specifier));
    });
    expect(wrong).toEqual([]);
  });

  it('imports no file that is not there', () => {
    const wrong = offenders(sources, (file, specifier) => {
      const target = targetOf(file, specifier);
      return target === null || existsSync(join(root, target));
    });
    expect(wrong).toEqual([]);
  });

  it('never lets production code import a test', () => {
    const wrong = offenders(production, (_, specifier) => !/\.test|^vitest$|^fast-check$/.test(specifier));
    expect(wrong).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(findCycle(sources)).toBeNull();
  });

  it('keeps clocks, randomness and timers out of access-core', () => {
    const forbidden =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\b|\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b|\bcrypto\b|\bprocess\b|\bglobalThis\b/;
    const wrong = production
      .filter(file => file.room === 'access-core')
      .flatMap(file =>
        readFileSync(join(root, file.path), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            forbidden.test(line.replace(/^\s*(?:\*|\/\/|\/\*).*$/, '')) ? [`${file.path}:${index + 1}`] : [],
          ),
      );
    expect(wrong).toEqual([]);
  });

  it('has no room for everything: nothing is called util, common, helpers, shared or misc', () => {
    const drains = production.filter(file =>
      /(?:^|\/)(?:utils?|common|helpers?|shared|misc|lib)(?:\/|\.ts$)/.test(file.path),
    );
    expect(drains.map(file => file.path)).toEqual([]);
  });

  it('keeps every file small enough to hold in the head', () => {
    const long = production
      .map(file => ({ path: file.path, lines: readFileSync(join(root, file.path), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });
});

const findCycle = (files: readonly SourceFile[]): string | null => {
  const graph = new Map(files.map(file => [file.path, file.imports.flatMap(one => targetOf(file, one) ?? [])]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(' → ');
    if (done.has(path)) return null;
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...trail, path]);
      if (cycle !== null) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle !== null) return cycle;
  }
  return null;
};
