import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const clone = join(import.meta.dirname, '../..');
const packages = [
  ['lintel-controller', 'packages/packaging/files/controller', '/var/lib/lintel'],
  ['lintel-gateway', 'packages/packaging/files/gateway', '/var/lib/lintel-gateway'],
  ['lintel-bridge', 'packages/packaging/files/bridge', '/var/lib/lintel-bridge'],
] as const;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lintel-purge-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A debconf module that returns this answer. */
const confmodule = (answer: string): string =>
  ['version', 'input', 'go', 'purge', 'stop'].map(name => `db_${name}() { :; }`).join('\n') +
  `\ndb_get() { RET=${answer}; }\n`;

/** Runs the script as dpkg does, in a sandbox. */
const purge = (folder: string, data: string, answer: string | null) => {
  mkdirSync(join(root, data), { recursive: true });
  writeFileSync(join(root, data, 'events.db'), '');
  mkdirSync(join(root, 'usr/share/debconf'), { recursive: true });
  if (answer !== null) writeFileSync(join(root, 'usr/share/debconf/confmodule'), confmodule(answer));
  const script = readFileSync(join(clone, folder, 'debian/postrm'), 'utf8')
    .replaceAll(/(?<=\s)\/(?=var|etc|usr|run)/g, `${root}/`)
    .replaceAll('deb-systemd-helper', 'no-such-command');
  return spawnSync('sh', ['-s', 'purge'], { input: script, encoding: 'utf8' });
};

describe.each(packages)('apt purge of %s', (name, folder, data) => {
  it.each([
    ['debconf is not available', null],
    ['the answer is no or missing', 'false'],
  ])('keeps the data when %s, and prints where they are', (_, answer) => {
    const { status, stderr } = purge(folder, data, answer);
    expect(status).toBe(0);
    expect(stderr).toMatch(new RegExp(`^${name}: .*${data} is kept`));
    expect(existsSync(join(root, data, 'events.db'))).toBe(true);
  });

  it('deletes the data when the answer is yes', () => {
    const { status, stderr } = purge(folder, data, 'true');
    expect([status, stderr]).toEqual([0, '']);
    expect(existsSync(join(root, data))).toBe(false);
  });
});
