import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markFolder } from '@lintel/service/data-folder/data-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeDemoFolder } from './demo-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-demo-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const quiet = (): void => undefined;
const put = (...names: readonly string[]): void => {
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'kept'), '');
  }
};

describe('demo folder', () => {
  it.each(['bridge', 'gateway', 'device'] as const)(
    'cannot be that of a %s, where nothing is written or removed',
    kind => {
      markFolder(folder, kind, quiet);
      put('logs');
      for (const fresh of [false, true]) {
        expect(() => takeDemoFolder(folder, fresh, quiet)).toThrow(`${folder} is the data folder of a`);
      }
      expect(readdirSync(folder).sort()).toEqual(['folder-kind', 'logs']);
    },
  );

  it('is marked, so that no other program uses it', () => {
    takeDemoFolder(folder, false, quiet);
    expect(() => markFolder(folder, 'bridge', quiet)).toThrow('is the data folder of a demonstration');
  });

  it('is reset without the files of the demonstration, and keeps all other files', () => {
    writeFileSync(join(folder, 'simulator.json'), '{}');
    put('bridge', 'logs', 'mine');
    takeDemoFolder(folder, true, quiet);
    expect(
      readdirSync(folder)
        .filter(name => !name.startsWith('folder'))
        .sort(),
    ).toEqual(['mine']);
    expect(existsSync(join(folder, 'mine', 'kept'))).toBe(true);
  });

  it('is not reset when it contains files of other programs', () => {
    put('logs', 'thesis');
    expect(() => takeDemoFolder(folder, true, quiet)).toThrow(/it has thesis.*: --fresh removes no logs there/);
    expect(readdirSync(folder).sort()).toEqual(['logs', 'thesis']);
    takeDemoFolder(folder, false, quiet);
  });
});
