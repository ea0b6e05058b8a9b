import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { iterations } from '../support/test-iterations-and-seed.ts';

const script = join(import.meta.dirname, '../../packages/packaging/files/system/root/usr/lib/lintel-image/persist');
const TOOLS = [
  'mkdir',
  'chown',
  'dirname',
  'cp',
  'sync',
  'mv',
  'find',
  'touch',
  'cat',
  'cut',
  'head',
  'tr',
  'grep',
  'sed',
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-first-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A root as the image contains it, with tools that kill the script at the nth call. */
const card = (name: string): string => {
  const root = join(folder, name);
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  mkdirSync(join(root, 'persist'), { recursive: true });
  write('etc/machine-id', '7f3a00000000000000000000000000aa\n');
  write('usr/share/lintel-image/seed/lintel/technician/setup-code', '7K3M-0QXW-PT5H\n');
  write('usr/share/lintel-image/seed/lintel/identity/pending-claim.json', '{"code":"…"}');
  for (const tool of TOOLS) {
    const call = tool === 'chown' ? ':' : `exec /usr/bin/${tool} "$@"`;
    // The programs of a pipe start at the same time: each takes the first unused number.
    const count = 'set -C; n=1; until { true >"$CALLS/$n"; } 2>/dev/null; do n=$((n + 1)); done; set +C';
    write(`tools/${tool}`, `#!/bin/sh\n${count}\n[ "$n" != "$LAST" ] || kill -9 0\n${call}\n`);
    chmodSync(join(root, 'tools', tool), 0o755);
  }
  return root;
};

const start = (root: string, last = 0): Promise<{ readonly isWhole: boolean; readonly calls: number }> =>
  new Promise(resolve => {
    const calls = join(root, 'calls');
    rmSync(calls, { recursive: true, force: true });
    mkdirSync(calls);
    const env = { PATH: join(root, 'tools'), LINTEL_ROOT: root, CALLS: calls, LAST: String(last) };
    // A separate process group, so that all of it is killed together.
    spawn('/bin/sh', [script], { env, detached: true, stdio: 'ignore' }).on('exit', code =>
      resolve({ isWhole: code === 0, calls: readdirSync(calls).length }),
    );
  });

const hotspot = (root: string): string =>
  readFileSync(join(root, 'persist/network/lintel-hotspot.nmconnection'), 'utf8');

/** All files of the data partition, without the generated password. */
const dataFiles = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(root, 'persist'), { recursive: true, encoding: 'utf8' })
      .filter(path => statSync(join(root, 'persist', path)).isFile())
      .toSorted()
      .map(path => [path, readFileSync(join(root, 'persist', path), 'utf8').replace(/^psk=.*$/m, 'psk=…')]),
  );

/** `count` numbers from 1 to `last`, evenly spread, including both ends. */
const spread = (last: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => 1 + Math.round((index * (last - 1)) / (count - 1)));

describe('First start of an image', () => {
  it('installs the secrets of the image once, readable by their owner only', async () => {
    const root = card('one');
    expect((await start(root)).isWhole).toBe(true);
    const code = join(root, 'persist/lintel/technician/setup-code');
    expect(readFileSync(code, 'utf8')).toBe('7K3M-0QXW-PT5H\n');
    expect([code, join(root, 'persist/lintel/technician')].map(path => statSync(path).mode & 0o777)).toEqual([
      0o600, 0o700,
    ]);
    rmSync(join(root, 'persist/lintel/identity/pending-claim.json'));
    writeFileSync(code, 'changed since\n');
    await start(root);
    expect(readFileSync(code, 'utf8')).toBe('changed since\n');
    expect(dataFiles(root)).not.toHaveProperty(['lintel/identity/pending-claim.json']);
  });

  it('generates a hotspot password, shows it on the screen and keeps it', async () => {
    const root = card('one');
    await start(root);
    const made = hotspot(root);
    expect(made).toMatch(/^ssid=Lintel-7f3a$/m);
    const [, password] = /^psk=([A-HJ-NP-Z2-9]{12})$/m.exec(made)!;
    expect(readFileSync(join(root, 'run/issue.d/lintel-hotspot.issue'), 'utf8')).toContain(`password ${password},`);
    await start(root);
    expect(hotspot(root)).toBe(made);
    const other = card('other');
    await start(other);
    expect(hotspot(other)).not.toBe(made);
  });

  it('creates no hotspot when the controller is claimed', async () => {
    const root = card('one');
    mkdirSync(join(root, 'persist/lintel/identity'), { recursive: true });
    writeFileSync(join(root, 'persist/lintel/identity/membership.json'), '{}');
    expect((await start(root)).isWhole).toBe(true);
    expect(dataFiles(root)).not.toHaveProperty(['network/lintel-hotspot.nmconnection']);
  });

  it('has the same result after a power cut at any call', async () => {
    const whole = card('whole');
    const { calls } = await start(whole);
    expect(calls).toBeGreaterThan(20);
    const cuts = spread(calls, iterations({ sample: 3, all: calls }));
    for (const last of cuts) {
      const root = card(`cut-${last}`);
      expect((await start(root, last)).isWhole, `cut at ${last}`).toBe(false);
      expect((await start(root)).isWhole, `cut at ${last}`).toBe(true);
      expect(dataFiles(root), `cut at ${last}`).toEqual(dataFiles(whole));
      expect(hotspot(root), `cut at ${last}`).toMatch(/^psk=[A-HJ-NP-Z2-9]{12}$/m);
    }
  });
});
