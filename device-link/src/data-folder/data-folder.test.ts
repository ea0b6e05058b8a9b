import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderRefusal, markFolder, refuseFolderOfOthers, requireFolderOf, takeFolder } from './data-folder.ts';

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-folder-'));
  warnings = [];
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const log = (_level: string, message: string): void => void warnings.push(message);

it('has one user at a time, and the next when that one is done', () => {
  const release = takeFolder(folder, 'device', log);
  expect(() => takeFolder(folder, 'device', log)).toThrow(/in use: a controller runs on it already/);
  release();
  takeFolder(folder, 'device', log)();
  expect(warnings).toEqual([]);
});

it('is free again when its user was killed', async () => {
  const file = new URL('data-folder.ts', import.meta.url).href;
  const script = `const { takeFolder } = await import('${file}');
    takeFolder(process.argv[1], 'device', () => undefined); console.log('taken'); setInterval(() => undefined, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', folder]);
  await once(child.stdout, 'data');
  expect(() => takeFolder(folder, 'device', log)).toThrow(FolderRefusal);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  takeFolder(folder, 'device', log)();
});

it('stays of the kind that it was first used as', () => {
  takeFolder(folder, 'gateway', log)();
  expect(() => takeFolder(folder, 'device', log)).toThrow(/is the data folder of a gateway/);
  expect(() => markFolder(folder, 'bridge', log)).toThrow(FolderRefusal);
  takeFolder(folder, 'gateway', log)();
});

it.each([
  ['events.db', 'a controller', 'gateway'],
  ['bridge.sqlite', 'a bridge', 'device'],
  ['simulator.json', 'a demonstration', 'bridge'],
] as const)('is known by its %s when it does not say its kind', (name, owner, other) => {
  writeFileSync(join(folder, name), '');
  expect(() => takeFolder(folder, other, log)).toThrow(`is the data folder of ${owner}`);
});

it('may have the folder of a gateway in it, and is not a gateway for that', () => {
  takeFolder(join(folder, 'gateway'), 'gateway', log)();
  takeFolder(folder, 'demonstration', log)();
  expect(() => takeFolder(folder, 'gateway', log)).toThrow('is the data folder of a demonstration');
});

it('is known by what a gateway has made in it', () => {
  mkdirSync(join(folder, 'gateway'));
  writeFileSync(join(folder, 'gateway', 'store.db'), '');
  expect(() => takeFolder(folder, 'device', log)).toThrow('is the data folder of a gateway');
});

it('that was claimed and never started is for a controller or a gateway, and not for a demonstration', () => {
  mkdirSync(join(folder, 'identity'));
  writeFileSync(join(folder, 'identity', 'key.pem'), '');
  expect(() => takeFolder(folder, 'demonstration', log)).toThrow('is the data folder of a controller or a gateway');
  takeFolder(folder, 'gateway', log)();
});

it('is looked at without a trace', () => {
  refuseFolderOfOthers(folder, 'device', 'gateway');
  expect(() => requireFolderOf(folder, 'bridge')).toThrow(/is no data folder of a bridge$/);
  expect(readdirSync(folder)).toEqual([]);
  markFolder(folder, 'bridge', log);
  requireFolderOf(folder, 'bridge');
  expect(() => refuseFolderOfOthers(folder, 'device', 'gateway')).toThrow(
    /is the data folder of a bridge, not the data folder of a controller or a gateway/,
  );
});

it('serves also where nothing can be written, and says so', () => {
  mkdirSync(join(folder, 'folder.lock'));
  takeFolder(folder, 'device', log)();
  expect(warnings).toEqual(['the data folder cannot be locked']);
});
