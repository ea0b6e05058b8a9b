import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { generateReleasePrivateKey, createReleaseSigner } from '@lintel/updates/release-files/release-keys';
import { decideAndSaveProgramLaunch, rollBackCandidateInSlots } from '@lintel/updates/testing';
import { ReleasesFolder } from '@lintel/updates/releases-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandResult, runLintel } from '../support/processes/lintel-command.ts';
import { type TestReleaseProduct, releaseFolder } from '../support/processes/write-test-release-folder.ts';

const NOBODY = 65_534;
const home = join(import.meta.dirname, '../..');

let folder: string;
let files: ReleasesFolder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-update-command-'));
  files = new ReleasesFolder(join(folder, 'releases'));
  const key = generateReleasePrivateKey();
  writeFileSync(join(folder, 'release.key'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'a.pub'), createReleaseSigner(key).publicPem);
  releaseFolder(join(folder, 'package'), '1.0.0');
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const stick = (): string => join(folder, 'stick');

const places = () => ['--releases', files.folder, '--package', join(folder, 'package'), '--keys', folder];

/** Runs the command as a user who may not read the releases: as nobody if the tests run as root. */
const runAsOtherUser = (...args: readonly string[]): Promise<CommandResult> => {
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, isRoot ? 0o755 : 0o700);
  if (!isRoot) chmodSync(files.folder, 0o000);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [join(home, 'cli/src/lintel.ts'), ...args],
      { cwd: home, ...user },
      (error, stdout, stderr) => {
        if (!isRoot) chmodSync(files.folder, 0o700);
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
      },
    );
  });
};

interface ReleaseOptions {
  readonly product?: TestReleaseProduct;
  /** Of `release make`. */
  readonly more?: readonly string[];
  readonly name?: string;
}

/** Makes a release on the USB stick. */
const makeRelease = async (version: string, options: ReleaseOptions = {}): Promise<string> => {
  const { product = 'controller', more = [], name = `${version}-${product}` } = options;
  const from = releaseFolder(join(folder, name), version, 'healthy', product);
  mkdirSync(stick(), { recursive: true });
  const file = join(stick(), `${name}.release`);
  const call = ['--from', from, '--key', join(folder, 'release.key'), '--out', file, ...more];
  expect(await runLintel('release', 'make', ...call)).toMatchObject({ code: 0 });
  return file;
};

/** Records a failed trial of the pending release, as the launcher does. */
const rollBackPending = (): void => {
  const pending = files.pending()!;
  files.clearPending();
  files.write(rollBackCandidateInSlots({ ...files.read(), candidate: { ...pending, attempts: 1 } }, 'late: x'));
};

const good = { release: '2.0.0-a', version: '2.0.0' };

describe('update --status', () => {
  it('names the command with sudo when the releases cannot be read', async () => {
    files.write({ ...files.read(), good });
    const { code, stdout, stderr } = await runAsOtherUser('update', '--status', ...places());
    const words = `Cannot read ${files.folder}. Run: sudo lintel-controller update --status\n`;
    expect([code, stdout, stderr]).toEqual([1, '', words]);
  });

  it('shows the version of the package when there is no update', async () => {
    const { code, stdout } = await runLintel('update', '--status', ...places());
    expect([code, stdout]).toEqual([0, 'running: 1.0.0\non_trial: null\nwaiting: null\nlast: null\n']);
  });

  it('reports a damaged file and the version that runs', async () => {
    files.write({ ...files.read(), good });
    writeFileSync(join(files.folder, 'slots.json'), '{"v"');
    const { stdout } = await runLintel('update', '--status', ...places());
    expect(stdout).toMatch(/^running: 2\.0\.0\n[^]*damage: .*slots\.json is damaged. Its copy is used instead\n$/);
  });
});

describe('update', () => {
  it('skips a rolled back release on a stick, and installs it when the file is named', async () => {
    const file = await makeRelease('1.1.0');
    expect(await runLintel('update', stick(), ...places())).toMatchObject({ code: 0 });
    rollBackPending();
    const again = await runLintel('update', stick(), ...places());
    expect([again.code, again.stderr, files.pending()]).toEqual([
      1,
      expect.stringContaining('1.1.0 was rolled back on this machine. Name the file itself to try it again'),
      null,
    ]);
    expect(await runLintel('update', file, ...places())).toMatchObject({ code: 0 });
    expect(files.pending()).toMatchObject({ version: '1.1.0' });
  });

  it('installs nothing when an argument is wrong', async () => {
    const file = await makeRelease('1.1.0');
    for (const [more, words] of [
      [['--wait', 'foo'], /^--wait must be a number of seconds\n/],
      [['--wait', '5', 'foo'], /^Unexpected argument: foo\n/],
    ] as const) {
      const { code, stderr } = await runLintel('update', file, ...places(), ...more);
      expect([code, stderr, files.pending()]).toEqual([2, expect.stringMatching(words), null]);
    }
  });

  it('names the command with sudo when the releases cannot be written', { tags: ['slow'] }, async () => {
    files.write(files.read());
    const file = join(folder, 'a.release');
    writeFileSync(file, '');
    const { code, stderr } = await runAsOtherUser('update', file, ...places());
    const words = `Cannot read ${files.folder}. Run: sudo lintel-controller update ${file}\n`;
    expect([code, stderr]).toEqual([1, words]);
  });

  it('names the missing keys, file or package', async () => {
    files.write(files.read());
    const file = join(folder, 'a.release');
    writeFileSync(file, '');
    const keyless = await runLintel('update', file, ...places(), '--keys', files.folder);
    expect(keyless.stderr).toBe(`${files.folder} has no public keys (*.pub)\n`);
    rmSync(file);
    const missing = await runLintel('update', file, ...places());
    expect([missing.code, missing.stderr]).toEqual([1, `${file}: no such file or folder\n`]);
    for (const product of ['controller', 'gateway']) {
      const target = ['--program', product, '--package', folder, '--releases', files.folder];
      const { code, stderr } = await runLintel('update', folder, ...target);
      expect([code, stderr]).toEqual([1, `${folder} has no program. Install the package lintel-${product} first\n`]);
    }
  });

  it.each([
    [['FILE', '--program', 'bridge'], /--program must be controller or gateway/],
    [['FILE', '--wait', 'long'], /--wait must be a number of seconds/],
    [[], /FILE or --status is required/],
  ])('called with %j prints what is wrong', async (args, words) => {
    const { code, stderr } = await runLintel('update', ...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});

describe.each(['controller', 'gateway'] as const)('update of a %s', product => {
  const other = product === 'gateway' ? 'controller' : 'gateway';
  beforeEach(() => void releaseFolder(join(folder, 'package'), '1.0.0', 'healthy', product));

  it('rejects a release that does not fit, with the reason', async () => {
    const file = await makeRelease('1.1.0', { product });
    writeFileSync(join(folder, 'other.key'), generateReleasePrivateKey());
    const foreign = join(folder, 'foreign.release');
    await runLintel('release', 'sign', file, '--key', join(folder, 'other.key'), '--out', foreign);
    writeFileSync(join(folder, 'text.release'), 'hello');
    for (const [rejected, words] of [
      [foreign, /signed with the unknown key .*unknown_key/s],
      [await makeRelease('0.9.0', { product }), /older than 1\.0\.0.*downgrade/s],
      [
        await makeRelease('1.2.0', { product: other }),
        new RegExp(`The release is for ${other}, but this is ${product} \\(wrong_program\\)`),
      ],
      [
        await makeRelease('2.0.0', { product, more: ['--minimum-version', '1.5.0'] }),
        /Update to 1\.5\.0 first.*too_old/s,
      ],
      [join(folder, 'text.release'), /not_a_release|truncated/],
      [join(folder, 'nothing.release'), /no such file/],
    ] as const) {
      const { code, stderr } = await runLintel('update', rejected, ...places());
      expect([rejected, code, stderr]).toEqual([rejected, 1, expect.stringMatching(words)]);
    }
    expect(files.pending()).toBeNull();
  });

  it('installs an older release that was signed for a downgrade, and the launcher starts it', async () => {
    const file = await makeRelease('0.9.1', { product, more: ['--allow-downgrade'] });
    expect(await runLintel('update', file, ...places())).toMatchObject({ code: 0 });
    const options = { releases: files.folder, package: join(folder, 'package'), trialSeconds: 300 };
    expect(decideAndSaveProgramLaunch(options, () => undefined)).toMatchObject({ version: '0.9.1', isTrial: true });
  });

  it('installs the newest release on a stick that fits', async () => {
    await makeRelease('1.1.0', { product });
    await makeRelease('1.3.0', { product });
    await makeRelease('1.4.0', { product, more: ['--arch', process.arch === 'x64' ? 'arm64' : 'amd64'] });
    await makeRelease('1.5.0', { product: other });
    writeFileSync(join(stick(), 'broken.release'), 'x'.repeat(2000));
    const { stdout } = await runLintel('update', stick(), ...places());
    expect(stdout).toContain('version: 1.3.0');
    const status = await runLintel('update', '--status', ...places(), '--json');
    expect(status.stdout).toContain('"waiting":"1.3.0"');
  });

  it('rejects a stick that has releases of the other program only', async () => {
    await makeRelease('1.9.0', { product: other });
    const { code, stderr } = await runLintel('update', stick(), ...places());
    expect([code, stderr]).toEqual([1, expect.stringContaining(`The release is for ${other}`)]);
  });
});

/** An `ar` archive with one member. */
const packageWith = (name: string, bytes: Buffer): Buffer => {
  const numbers = `${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}`;
  const header = `!<arch>\n${name.padEnd(16)}${numbers}${String(bytes.length).padEnd(10)}\`\n`;
  return Buffer.concat([Buffer.from(header), bytes]);
};

describe('release', () => {
  it('names the file or the directory that is wrong', async () => {
    const cut = join(folder, 'cut.deb');
    const whole = packageWith('data.tar.gz', gzipSync(readFileSync(import.meta.filename)));
    writeFileSync(cut, whole.subarray(0, -50));
    const nowhere = join(folder, 'nowhere');
    const key = join(folder, 'release.key');
    for (const [args, words] of [
      [['make', '--from', cut, '--key', key], `${cut} is not a complete Debian package of Lintel: `],
      [['make', '--from', nowhere, '--key', key], `${nowhere}: no such file or folder\n`],
      [['verify', cut, '--keys', nowhere], `${nowhere} has no public keys (*.pub)\n`],
      [['keys', '--out', `${nowhere}/a.key`], `${nowhere}/a.key: no such file or folder\n`],
    ] as const) {
      const { code, stderr } = await runLintel('release', ...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    }
  });
});
