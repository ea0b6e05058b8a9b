import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFolderError, markFolder, refuseFolderOfOthers, requireFolderOf, takeFolder } from './data-folder.ts';

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

describe('data folder', () => {
  it('is locked by one process at a time, and free when that one is done', () => {
    const release = takeFolder(folder, 'device', log);
    expect(() => takeFolder(folder, 'device', log)).toThrow(/in use: a controller runs on it already/);
    release();
    takeFolder(folder, 'device', log)();
    expect(warnings).toEqual([]);
  });

  it('is free again when its process was killed', async () => {
    const file = new URL('data-folder.ts', import.meta.url).href;
    const script = `const { takeFolder } = await import('${file}');
    takeFolder(process.argv[1], 'device', () => undefined); console.log('taken'); setInterval(() => undefined, 1e6);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', folder]);
    await once(child.stdout, 'data');
    expect(() => takeFolder(folder, 'device', log)).toThrow(DataFolderError);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    takeFolder(folder, 'device', log)();
  });

  it('keeps the kind of its first use', () => {
    takeFolder(folder, 'gateway', log)();
    expect(() => takeFolder(folder, 'device', log)).toThrow(/is the data folder of a gateway/);
    expect(() => markFolder(folder, 'bridge', log)).toThrow(DataFolderError);
    takeFolder(folder, 'gateway', log)();
  });

  it.each([
    ['events.db', 'a controller', 'gateway'],
    ['bridge.sqlite', 'a bridge', 'device'],
    ['simulator.json', 'a demonstration', 'bridge'],
  ] as const)('is recognized by its %s when its kind is not recorded', (name, owner, other) => {
    writeFileSync(join(folder, name), '');
    expect(() => takeFolder(folder, other, log)).toThrow(`is the data folder of ${owner}`);
  });

  it('may contain the folder of a gateway without becoming one', () => {
    takeFolder(join(folder, 'gateway'), 'gateway', log)();
    takeFolder(folder, 'demonstration', log)();
    expect(() => takeFolder(folder, 'gateway', log)).toThrow('is the data folder of a demonstration');
  });

  it('is recognized by files that a gateway has created', () => {
    mkdirSync(join(folder, 'gateway'));
    writeFileSync(join(folder, 'gateway', 'store.db'), '');
    expect(() => takeFolder(folder, 'device', log)).toThrow('is the data folder of a gateway');
  });

  it('that is claimed but unused can serve a controller or a gateway, but not a demonstration', () => {
    mkdirSync(join(folder, 'identity'));
    writeFileSync(join(folder, 'identity', 'key.pem'), '');
    expect(() => takeFolder(folder, 'demonstration', log)).toThrow('is the data folder of a controller or a gateway');
    takeFolder(folder, 'gateway', log)();
  });

  it('is inspected without leaving a trace', () => {
    refuseFolderOfOthers(folder, 'device', 'gateway');
    expect(() => requireFolderOf(folder, 'bridge')).toThrow(/is no data folder of a bridge$/);
    expect(readdirSync(folder)).toEqual([]);
    markFolder(folder, 'bridge', log);
    requireFolderOf(folder, 'bridge');
    expect(() => refuseFolderOfOthers(folder, 'device', 'gateway')).toThrow(
      /is the data folder of a bridge, not the data folder of a controller or a gateway/,
    );
  });

  it('works on a read-only disk, and reports it', () => {
    mkdirSync(join(folder, 'folder.lock'));
    takeFolder(folder, 'device', log)();
    expect(warnings).toEqual(['the data folder cannot be locked']);
  });
});
