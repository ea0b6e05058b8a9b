import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

const home = mkdtempSync(join(tmpdir(), 'lintel-folders-'));

afterAll(() => rmSync(home, { recursive: true }));

const folderOf = (kind: string): string => {
  const folder = join(home, kind);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'folder-kind'), `${kind}\n`);
  return folder;
};

const ports = ['--http-port', '0', '--mqtt-port', '0'];
const code = ['--bridge', 'http://127.0.0.1:1', '--code', '7K3M-0QXW-PT5H'];
const grant = ['--organization', 'org_1', '--scope', 'full_read_only'];

describe('--data', () => {
  it.each([
    ['bridge', 'device', ports],
    ['bridge', 'gateway', ports],
    ['enroll', 'bridge', code],
    ['gateway', 'device', ['--listen', '127.0.0.1:0']],
    ['device', 'gateway', []],
  ])(
    'of lintel %s rejects the data directory of a %s in one line and leaves it unchanged',
    async (command, kind, args) => {
      const folder = folderOf(kind);
      const { code: exit, stdout, stderr } = await runLintel(command, '--data', folder, ...args);
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
      expect(stderr).toMatch(/^\S+ is the data folder of a (?:bridge|gateway|controller)[^\n]*\n$/);
      expect(readdirSync(folder)).toEqual(['folder-kind']);
    },
  );

  it.each([
    ['token', grant],
    ['keys', ['list']],
  ])('of lintel %s rejects a directory that does not exist and does not create it', async (command, args) => {
    const folder = join(home, 'mistyped');
    const { code: exit, stderr } = await runLintel(command, ...args, '--data', folder);
    expect(exit).toBe(1);
    expect(stderr).toContain(`${folder} is not the data folder of a bridge`);
    expect(readdirSync(home)).not.toContain('mistyped');
  });
});
