import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyValueStoreError } from './key-value-store-interface.ts';
import { JsonFileStore } from './json-file-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-state-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('state file', () => {
  it('is complete after an interrupted write', () => {
    const state = new JsonFileStore(folder);
    state.write('time_floor', 41);
    writeFileSync(join(folder, 'time_floor.json.new'), '{"half');
    expect(new JsonFileStore(folder).read('time_floor')).toBe(41);
    state.write('time_floor', 42);
    expect(new JsonFileStore(folder).read('time_floor')).toBe(42);
    expect(readdirSync(folder)).toEqual(['time_floor.json']);
  });

  it('is private to its owner', () => {
    new JsonFileStore(folder).write('lockouts', {});
    expect(statSync(join(folder, 'lockouts.json')).mode & 0o777).toBe(0o600);
  });

  it('that cannot be read counts as absent, is set aside and reported once', () => {
    writeFileSync(join(folder, 'lockouts.json'), 'nonsense');
    const problems: string[] = [];
    const state = new JsonFileStore(folder, { onDamaged: (_key, problem) => problems.push(problem) });
    expect([state.read('lockouts'), state.read('lockouts'), state.read('missing')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const [kept] = readdirSync(folder).filter(name => name.startsWith('lockouts.json.damaged-'));
    expect(problems).toEqual([expect.stringContaining(kept!)]);
  });

  it('that cannot be read now is kept, is not overwritten, and is read by the next start', () => {
    new JsonFileStore(folder).write('lockouts', { front: 3 });
    const path = join(folder, 'lockouts.json');
    renameSync(path, join(folder, 'healthy'));
    // Reading it fails with EIO.
    symlinkSync('/proc/self/mem', path);
    const problems: string[] = [];
    const state = new JsonFileStore(folder, { onUnreadable: (key, problem) => problems.push(`${key} ${problem}`) });
    expect([state.read('lockouts'), state.isUnreadable('lockouts'), state.canReadAgain]).toEqual([
      undefined,
      true,
      false,
    ]);
    expect(problems).toEqual([`lockouts ${path} cannot be read (EIO)`]);
    renameSync(join(folder, 'healthy'), path);
    expect(state.canReadAgain).toBe(true);
    expect(() => state.write('lockouts', {})).toThrow(KeyValueStoreError);
    expect(new JsonFileStore(folder).read('lockouts')).toEqual({ front: 3 });
    state.replace('lockouts', { front: 9 });
    state.write('lockouts', { front: 10 });
    expect(new JsonFileStore(folder).read('lockouts')).toEqual({ front: 10 });
    expect(readdirSync(folder)).toEqual(['lockouts.json']);
  });

  it('of a value that is written in place is kept, too', () => {
    const inPlace = ['ceiling'] as const;
    new JsonFileStore(folder, { inPlace }).write('ceiling', 7);
    const path = join(folder, 'ceiling.slots');
    renameSync(path, join(folder, 'healthy'));
    symlinkSync('/proc/self/mem', path);
    const state = new JsonFileStore(folder, { inPlace });
    expect(state.read('ceiling')).toBeUndefined();
    expect(() => state.write('ceiling', 1)).toThrow(KeyValueStoreError);
    renameSync(join(folder, 'healthy'), path);
    expect(new JsonFileStore(folder, { inPlace }).read('ceiling')).toBe(7);
  });

  it('that cannot be written fails with a named error', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => new JsonFileStore(join(folder, 'file', 'below')).write('lockouts', {})).toThrow(KeyValueStoreError);
  });
});
