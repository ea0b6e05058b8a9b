import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { newReleaseKey, signerOf } from '@lintel/device-link/releases/release-keys';
import { rolledBack } from '@lintel/device-link/updates/slot-machine';
import { SlotFiles } from '@lintel/device-link/updates/slot-files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Finished, runLintel } from '../support/processes/lintel-command.ts';
import { releaseFolder } from '../support/processes/release-folder.ts';

const NOBODY = 65_534;
const home = join(import.meta.dirname, '../..');

let folder: string;
let files: SlotFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-update-command-'));
  files = new SlotFiles(join(folder, 'releases'));
  const key = newReleaseKey();
  writeFileSync(join(folder, 'release.key'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'a.pub'), signerOf(key).publicPem);
  releaseFolder(join(folder, 'package'), '1.0.0');
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const places = () => ['--releases', files.folder, '--package', join(folder, 'package'), '--keys', folder];

/** Whoever runs the tests: one who may read all is another user for a moment, any other is locked out. */
const asStranger = (...args: readonly string[]): Promise<Finished> => {
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, isRoot ? 0o755 : 0o700);
  if (!isRoot) chmodSync(files.folder, 0o000);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  return new Promise(resolve => {
    execFile(process.execPath, [join(home, 'lintel.ts'), ...args], { cwd: home, ...user }, (error, stdout, stderr) => {
      if (!isRoot) chmodSync(files.folder, 0o700);
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
};

const release = async (version: string): Promise<string> => {
  const from = releaseFolder(join(folder, version), version);
  mkdirSync(join(folder, 'stick'), { recursive: true });
  const file = join(folder, 'stick', `${version}.release`);
  const made = await runLintel('release', 'make', '--from', from, '--key', join(folder, 'release.key'), '--out', file);
  expect(made).toMatchObject({ code: 0 });
  return file;
};

/** As the launcher and a trial that fails leave it. */
const giveUpWished = (): void => {
  const pending = files.pending()!;
  files.dropWish();
  files.write(rolledBack({ ...files.read(), candidate: { ...pending, attempts: 1 } }, 'late: x'));
};

const good = { release: '2.0.0-a', version: '2.0.0' };

describe('update --status', () => {
  it('does not take for empty what it may not read, and says who may', async () => {
    files.write({ ...files.read(), good });
    const { code, stdout, stderr } = await asStranger('update', '--status', ...places());
    const words = `${files.folder} cannot be read by this user: sudo lintel-controller update --status\n`;
    expect([code, stdout, stderr]).toEqual([1, '', words]);
  });

  it('knows that nothing was brought where there is no folder', async () => {
    const { code, stdout } = await runLintel('update', '--status', ...places());
    expect([code, stdout]).toEqual([0, 'running: 1.0.0\non_trial: null\nwaiting: null\nlast: null\n']);
  });

  it('says that a file is damaged, and what runs all the same', async () => {
    files.write({ ...files.read(), good });
    writeFileSync(join(files.folder, 'slots.json'), '{"v"');
    const { stdout } = await runLintel('update', '--status', ...places());
    expect(stdout).toMatch(/^running: 2\.0\.0\n[^]*damage: .*slots\.json is damaged: its copy is gone by\n$/);
  });
});

describe('update', () => {
  it('leaves on a stick what was given up, and takes it when it is named', async () => {
    const file = await release('1.1.0');
    const stick = join(folder, 'stick');
    expect(await runLintel('update', stick, ...places())).toMatchObject({ code: 0 });
    giveUpWished();
    const again = await runLintel('update', stick, ...places());
    expect([again.code, again.stderr, files.pending()]).toEqual([
      1,
      expect.stringContaining('1.1.0 was tried here and given up; name the file itself to try it again'),
      null,
    ]);
    expect(await runLintel('update', file, ...places())).toMatchObject({ code: 0 });
    expect(files.pending()).toMatchObject({ version: '1.1.0' });
  });

  it('does nothing when a word of the call is wrong', async () => {
    const file = await release('1.1.0');
    for (const [more, words] of [
      [['--wait', 'foo'], /^--wait must be seconds\n/],
      [['--wait', '5', 'foo'], /^foo is one word too many\n/],
    ] as const) {
      const { code, stderr } = await runLintel('update', file, ...places(), ...more);
      expect([code, stderr, files.pending()]).toEqual([2, expect.stringMatching(words), null]);
    }
  });

  it('says who may do it, and names the file that is not there', async () => {
    files.write(files.read());
    const file = join(folder, 'a.release');
    const stranger = await asStranger('update', file, ...places());
    const words = `${files.folder} cannot be read by this user: sudo lintel-controller update ${file}\n`;
    expect([stranger.code, stranger.stderr]).toEqual([1, words]);
    const keyless = await runLintel('update', file, ...places(), '--keys', files.folder);
    expect(keyless.stderr).toBe(`${files.folder} has no public key: it must be a folder with *.pub\n`);
    const missing = await runLintel('update', file, ...places());
    expect([missing.code, missing.stderr]).toEqual([1, `${file}: there is no such file or folder\n`]);
  });
});

/** An `ar` archive with one member. */
const packageWith = (name: string, bytes: Buffer): Buffer => {
  const numbers = `${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}`;
  const header = `!<arch>\n${name.padEnd(16)}${numbers}${String(bytes.length).padEnd(10)}\`\n`;
  return Buffer.concat([Buffer.from(header), bytes]);
};

it('release names the file or the folder that is wrong', async () => {
  const cut = join(folder, 'cut.deb');
  const whole = packageWith('data.tar.gz', gzipSync(readFileSync(import.meta.filename)));
  writeFileSync(cut, whole.subarray(0, -50));
  const nowhere = join(folder, 'nowhere');
  const key = join(folder, 'release.key');
  for (const [args, words] of [
    [['make', '--from', cut, '--key', key], `${cut} is no whole Debian package of Lintel: `],
    [['make', '--from', nowhere, '--key', key], `${nowhere}: there is no such file or folder\n`],
    [['verify', cut, '--keys', nowhere], `${nowhere} has no public key: it must be a folder with *.pub\n`],
    [['keys', '--out', `${nowhere}/a.key`], `${nowhere}/a.key: there is no such file or folder\n`],
  ] as const) {
    const { code, stderr } = await runLintel('release', ...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
  }
});
