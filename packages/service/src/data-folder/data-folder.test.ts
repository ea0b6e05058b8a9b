import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  DataFolderError,
  ensureDataFolderKind,
  rejectForeignDataFolder,
  requireDataFolderKind,
  ensurePrivateFolder,
  lockDataFolder,
} from './data-folder.ts';

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
    const release = lockDataFolder(folder, 'device', log);
    expect(() => lockDataFolder(folder, 'device', log)).toThrow(/is in use by a controller that is already running/);
    release();
    lockDataFolder(folder, 'device', log)();
    expect(warnings).toEqual([]);
  });

  it('stays locked after a garbage collection, until its process is killed', async () => {
    const file = new URL('data-folder.ts', import.meta.url).href;
    const script = `const { lockDataFolder } = await import('${file}');
    lockDataFolder(process.argv[1], 'device', () => undefined);
    setImmediate(() => { gc(); setImmediate(() => console.log('taken')); }); setInterval(() => undefined, 1e6);`;
    const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script, '--', folder]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    expect(() => lockDataFolder(folder, 'device', log)).toThrow(DataFolderError);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    lockDataFolder(folder, 'device', log)();
  });

  it('keeps the kind of its first use', () => {
    lockDataFolder(folder, 'gateway', log)();
    expect(() => lockDataFolder(folder, 'device', log)).toThrow(/is the data folder of a gateway/);
    expect(() => ensureDataFolderKind(folder, 'bridge', log)).toThrow(DataFolderError);
    lockDataFolder(folder, 'gateway', log)();
  });

  it.each([
    ['events.db', 'a controller', 'gateway'],
    ['bridge.sqlite', 'a bridge', 'device'],
    ['simulator.json', 'a demonstration', 'bridge'],
  ] as const)('is recognized by its %s when its kind is not recorded', (name, owner, other) => {
    writeFileSync(join(folder, name), '');
    expect(() => lockDataFolder(folder, other, log)).toThrow(`is the data folder of ${owner}`);
  });

  it('may contain the folder of a gateway without becoming one', () => {
    lockDataFolder(join(folder, 'gateway'), 'gateway', log)();
    lockDataFolder(folder, 'demonstration', log)();
    expect(() => lockDataFolder(folder, 'gateway', log)).toThrow('is the data folder of a demonstration');
  });

  it('is recognized by files that a gateway has created', () => {
    mkdirSync(join(folder, 'gateway'));
    writeFileSync(join(folder, 'gateway', 'revocations.db'), '');
    expect(() => lockDataFolder(folder, 'device', log)).toThrow('is the data folder of a gateway');
  });

  it('that is claimed but unused can serve a controller or a gateway, but not a demonstration', () => {
    mkdirSync(join(folder, 'identity'));
    writeFileSync(join(folder, 'identity', 'key.pem'), '');
    expect(() => lockDataFolder(folder, 'demonstration', log)).toThrow(
      'is the data folder of a controller or a gateway',
    );
    lockDataFolder(folder, 'gateway', log)();
  });

  it('is inspected without leaving a trace', () => {
    rejectForeignDataFolder(folder, 'device', 'gateway');
    expect(() => requireDataFolderKind(folder, 'bridge')).toThrow(/is not the data folder of a bridge$/);
    expect(readdirSync(folder)).toEqual([]);
    ensureDataFolderKind(folder, 'bridge', log);
    requireDataFolderKind(folder, 'bridge');
    expect(() => rejectForeignDataFolder(folder, 'device', 'gateway')).toThrow(
      /is the data folder of a bridge, not the data folder of a controller or a gateway/,
    );
  });

  it('must be private: others can read neither the folder nor its files', () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o750);
    ensurePrivateFolder(open);
    expect(statSync(open).mode & 0o777).toBe(0o700);
    chmodSync(open, 0o755);
    writeFileSync(join(open, 'master-keys.json'), '{}');
    expect(() => ensurePrivateFolder(open)).toThrow(`Run: chmod 700 ${open}`);
    chmodSync(open, 0o700);
    mkdirSync(join(open, 'below'));
    writeFileSync(join(open, 'below', 'copied'), '', { mode: 0o644 });
    ensurePrivateFolder(open);
    expect(statSync(join(open, 'below', 'copied')).mode & 0o777).toBe(0o600);
    ensurePrivateFolder(join(folder, 'new'));
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
  });

  it('works on a read-only disk, and reports it', () => {
    mkdirSync(join(folder, 'folder.lock'));
    lockDataFolder(folder, 'device', log)();
    expect(warnings).toEqual(['The data folder cannot be locked']);
  });
});
