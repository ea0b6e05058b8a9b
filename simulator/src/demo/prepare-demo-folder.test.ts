import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDataFolderKind } from '@lintel/service/data-folder/data-folder';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { lockAndPrepareDemoFolder } from './prepare-demo-folder.ts';
import { damageFile, fileDamages } from '@lintel/test/support/faults/file-damage';
import { readStoredDemoState } from './stored-demo-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-demo-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ignore = (): void => undefined;
const put = (...names: readonly string[]): void => {
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'kept'), '');
  }
};

describe('demo folder', () => {
  it.each(['bridge', 'gateway', 'device'] as const)(
    'cannot be the data folder of a %s, which stays unchanged',
    kind => {
      ensureDataFolderKind(folder, kind, ignore);
      put('logs');
      for (const fresh of [false, true]) {
        expect(() => lockAndPrepareDemoFolder(folder, fresh, ignore)).toThrow(`${folder} is the data folder of a`);
      }
      expect(readdirSync(folder).sort()).toEqual(['folder-kind', 'logs']);
    },
  );

  it('is marked, so that no other program uses it', () => {
    lockAndPrepareDemoFolder(folder, false, ignore);
    expect(() => ensureDataFolderKind(folder, 'bridge', ignore)).toThrow('is the data folder of a demonstration');
  });

  it('loses only the files of the demo with --fresh', () => {
    writeFileSync(join(folder, 'simulator.json'), '{}');
    put('bridge', 'logs', 'mine');
    lockAndPrepareDemoFolder(folder, true, ignore);
    expect(
      readdirSync(folder)
        .filter(name => !name.startsWith('folder'))
        .sort(),
    ).toEqual(['mine']);
    expect(existsSync(join(folder, 'mine', 'kept'))).toBe(true);
  });

  it('rejects --fresh when it contains other files', () => {
    put('logs', 'thesis');
    expect(() => lockAndPrepareDemoFolder(folder, true, ignore)).toThrow(/contains thesis.*--fresh would delete logs/);
    expect(readdirSync(folder).sort()).toEqual(['logs', 'thesis']);
    lockAndPrepareDemoFolder(folder, false, ignore);
  });
});

it.each(Object.keys(fileDamages))('names the file of the demo state if it is %s', damage => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-demo-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'simulator.json');
  writeFileSync(file, '{}');
  damageFile(file, damage);
  expect(() => readStoredDemoState(folder)).toThrow(file);
});
