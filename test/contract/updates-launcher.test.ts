import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newReleaseKey, signerOf } from '@lintel/device-link/releases/release-keys';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LaunchedController } from '../support/launched-controller.ts';
import { runLintel } from '../support/lintel-command.ts';
import { type Behaviour, releaseFolder } from '../support/release-folder.ts';

const key = newReleaseKey();

let folder: string;
let controller: LaunchedController;

const launched = (trialSeconds = 90): LaunchedController =>
  new LaunchedController({
    dataDir: join(folder, 'door'),
    releases: join(folder, 'releases'),
    packageFolder: releaseFolder(join(folder, 'package'), '1.0.0'),
    keys: folder,
    trialSeconds,
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-update-'));
  writeFileSync(join(folder, 'release.key'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'a.pub'), signerOf(key).publicPem);
  controller = launched();
});
afterEach(async () => {
  await controller.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const made = async (version: string, behaviour: Behaviour = 'sound', ...more: readonly string[]): Promise<string> => {
  const file = join(folder, `${version}-${behaviour}.release`);
  const from = releaseFolder(join(folder, `${version}-${behaviour}`), version, behaviour);
  const { code, stderr } = await runLintel(
    'release',
    'make',
    '--from',
    from,
    '--key',
    join(folder, 'release.key'),
    '--out',
    file,
    ...more,
  );
  if (code !== 0) throw new Error(stderr);
  return file;
};

const update = (file: string, ...more: readonly string[]) =>
  runLintel(
    'update',
    file,
    '--releases',
    join(folder, 'releases'),
    '--package',
    join(folder, 'package'),
    '--keys',
    folder,
    ...more,
  );

const served = async (count: number): Promise<void> => {
  await expect.poll(() => controller.readies, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
};

it('starts the new version when nobody is at the door, and keeps it once it has proven itself', async () => {
  controller.start();
  await served(1);
  const { stdout, stderr } = await update(await made('1.1.0'), '--wait', '100', '--json');
  expect([stdout, stderr, controller.log]).toEqual([expect.stringContaining('"confirmed"'), '', expect.anything()]);
  expect([controller.good, controller.last, controller.readies]).toEqual(['1.1.0', '1.1.0 confirmed', 2]);
  // A later start runs it at once, and without a trial.
  controller.cutPower();
  await served(3);
  expect(controller.files.read().candidate).toBeNull();
  expect((await runLintel('update', '--status', '--releases', join(folder, 'releases'))).stdout).toContain(
    'running: 1.1.0',
  );
});

it.each([
  ['exits', 'exits', /crashed/],
  ['hangs', 'hangs', /late/],
  ['cannot read what is on the disk', 'blind', /event_store/],
] as const)(
  'a version that %s is left again by itself, and the door is served by the one before',
  async (_, how, why) => {
    controller = launched(8).start();
    await served(1);
    expect(await update(await made('1.1.0', how))).toMatchObject({ code: 0 });
    await expect.poll(() => controller.last, { timeout: 60_000 }).toBe('1.1.0 rolled_back');
    expect(controller.files.read().last?.reason).toMatch(why);
    await expect
      .poll(
        () =>
          controller.type('1').then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    expect(controller.good).toBeNull();
  },
);

it('waits for whoever is typing', async () => {
  controller.start();
  await served(1);
  await expect
    .poll(() =>
      controller.type('*').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(await update(await made('1.1.0'))).toMatchObject({ code: 0 });
  // Somebody types slowly; each key is less than the quiet time after the one before.
  for (let key = 0; key < 8; key++) {
    await controller.type('1');
    await new Promise(resolve => setTimeout(resolve, 400));
    expect([key, controller.starts]).toEqual([key, 1]);
  }
  await controller.type('*');
  await expect.poll(() => controller.last, { timeout: 100_000 }).toBe('1.1.0 confirmed');
});

it('refuses with a clear word what it must not run, and goes on', async () => {
  controller.start();
  await served(1);
  const good = await made('1.1.0');
  writeFileSync(join(folder, 'other.key'), newReleaseKey());
  const foreign = join(folder, 'foreign.release');
  await runLintel('release', 'sign', good, '--key', join(folder, 'other.key'), '--out', foreign);
  const old = await made('0.9.0');
  const gateway = await made('1.2.0', 'sound', '--program', 'gateway');
  const tooNew = await made('2.0.0', 'sound', '--minimum-version', '1.5.0');
  writeFileSync(join(folder, 'text.release'), 'hello');
  for (const [file, words] of [
    [foreign, /signed with the key .*unknown_key/s],
    [old, /older than 1\.0\.0.*downgrade/s],
    [gateway, /wrong_program/],
    [tooNew, /update to that first.*too_old/s],
    [join(folder, 'text.release'), /not_a_release|truncated/],
    [join(folder, 'nothing.release'), /no such file/],
  ] as const) {
    const { code, stderr } = await update(file);
    expect([file, code, stderr]).toEqual([file, 1, expect.stringMatching(words)]);
  }
  expect([controller.starts, controller.files.pending()]).toEqual([1, null]);
  const back = await made('0.9.1', 'sound', '--allow-downgrade');
  expect((await update(back, '--wait', '100')).stdout).toContain('confirmed');
});

it('takes the newest that fits from a stick', async () => {
  controller.start();
  await served(1);
  const from = ['--releases', join(folder, 'releases')];
  await made('1.1.0');
  await made('1.3.0');
  await made('1.4.0', 'sound', '--arch', process.arch === 'x64' ? 'arm64' : 'amd64');
  writeFileSync(join(folder, 'broken.release'), 'x'.repeat(2000));
  expect((await update(folder, '--wait', '100')).stdout).toContain('version: 1.3.0');
  expect((await runLintel('update', '--status', ...from, '--json')).stdout).toContain('"running":"1.3.0"');
});
