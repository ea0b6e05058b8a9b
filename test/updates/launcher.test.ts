import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newReleaseKey, signerOf } from '@lintel/device-link/releases/release-keys';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LaunchedController } from '../support/processes/launched-controller.ts';
import { LaunchedGateway } from '../support/processes/launched-gateway.ts';
import type { LaunchedProgram } from '../support/processes/launched-program.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { type Behaviour, type Product, releaseFolder } from '../support/processes/release-folder.ts';

const key = newReleaseKey();

let folder: string;
let running: LaunchedProgram;

const launched = (product: Product, trialSeconds = 90): LaunchedProgram => {
  const options = {
    dataDir: join(folder, 'data'),
    releases: join(folder, 'releases'),
    packageFolder: releaseFolder(join(folder, 'package'), '1.0.0', 'sound', product),
    keys: folder,
    trialSeconds,
  };
  return product === 'gateway' ? new LaunchedGateway(options) : new LaunchedController(options);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-update-'));
  writeFileSync(join(folder, 'release.key'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'a.pub'), signerOf(key).publicPem);
});
afterEach(async () => {
  await running?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Wanted {
  readonly product: Product;
  readonly behaviour?: Behaviour;
  readonly more?: readonly string[];
}

const made = async (version: string, { product, behaviour = 'sound', more = [] }: Wanted): Promise<string> => {
  const name = `${version}-${product}-${behaviour}`;
  const file = join(folder, `${name}.release`);
  const from = releaseFolder(join(folder, name), version, behaviour, product);
  const call = ['--from', from, '--key', join(folder, 'release.key'), '--out', file, ...more];
  const { code, stderr } = await runLintel('release', 'make', ...call);
  if (code !== 0) throw new Error(stderr);
  return file;
};

const places = () => ['--releases', join(folder, 'releases'), '--package', join(folder, 'package'), '--keys', folder];

const update = (file: string, ...more: readonly string[]) => runLintel('update', file, ...places(), ...more);

const served = async (count: number): Promise<void> => {
  await expect.poll(() => running.readies, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
};

/** How a version fails, and what is said of it; of the one product or the other, where it is not the same. */
const failures: Readonly<Record<Product, readonly (readonly [Behaviour, RegExp])[]>> = {
  controller: [
    ['exits', /crashed/],
    ['hangs', /late/],
    ['blind', /event_store/],
  ],
  gateway: [
    ['exits', /crashed/],
    ['hangs', /late/],
    ['shut', /ready/],
  ],
};

describe.each(['controller', 'gateway'] as const)('a %s', product => {
  const other = product === 'gateway' ? 'controller' : 'gateway';

  it('starts the new version when nobody needs it, and keeps it once it has proven itself', async () => {
    running = launched(product).start();
    await served(1);
    const { stdout, stderr } = await update(await made('1.1.0', { product }), '--wait', '100', '--json');
    expect([stdout, stderr, running.log]).toEqual([expect.stringContaining('"confirmed"'), '', expect.anything()]);
    expect([running.good, running.last, running.readies]).toEqual(['1.1.0', '1.1.0 confirmed', 2]);
    // A later start runs it at once, and without a trial.
    running.cutPower();
    await served(3);
    expect(running.files.read().candidate).toBeNull();
    const status = await runLintel('update', '--status', '--program', product, ...places());
    expect(status.stdout).toContain('running: 1.1.0');
  });

  it.each(failures[product])('leaves a version again by itself that is %s, and serves as before', async (how, why) => {
    running = launched(product, 8).start();
    await served(1);
    expect(await update(await made('1.1.0', { product, behaviour: how }))).toMatchObject({ code: 0 });
    await expect.poll(() => running.last, { timeout: 60_000 }).toBe('1.1.0 rolled_back');
    expect(running.files.read().last?.reason).toMatch(why);
    await expect.poll(() => running.isServing(), { timeout: 20_000 }).toBe(true);
    expect(running.good).toBeNull();
  });

  it('refuses with a clear word what it must not run, and goes on', async () => {
    running = launched(product).start();
    await served(1);
    const good = await made('1.1.0', { product });
    writeFileSync(join(folder, 'other.key'), newReleaseKey());
    const foreign = join(folder, 'foreign.release');
    await runLintel('release', 'sign', good, '--key', join(folder, 'other.key'), '--out', foreign);
    const old = await made('0.9.0', { product });
    const forOther = await made('1.2.0', { product: other });
    const tooNew = await made('2.0.0', { product, more: ['--minimum-version', '1.5.0'] });
    writeFileSync(join(folder, 'text.release'), 'hello');
    for (const [file, words] of [
      [foreign, /signed with the key .*unknown_key/s],
      [old, /older than 1\.0\.0.*downgrade/s],
      [forOther, new RegExp(`it is a release for a ${other}, and this is a ${product} \\(wrong_program\\)`)],
      [tooNew, /update to that first.*too_old/s],
      [join(folder, 'text.release'), /not_a_release|truncated/],
      [join(folder, 'nothing.release'), /no such file/],
    ] as const) {
      const { code, stderr } = await update(file);
      expect([file, code, stderr]).toEqual([file, 1, expect.stringMatching(words)]);
    }
    expect([running.starts, running.files.pending()]).toEqual([1, null]);
    const back = await made('0.9.1', { product, more: ['--allow-downgrade'] });
    expect((await update(back, '--wait', '100')).stdout).toContain('confirmed');
  });

  it('takes the newest that fits from a stick, and leaves to others what is theirs', async () => {
    running = launched(product).start();
    await served(1);
    const foreign = join(folder, 'foreign-stick');
    mkdirSync(foreign);
    await made('1.9.0', { product: other, more: ['--out', join(foreign, 'a.release')] });
    const refused = await update(foreign);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`it is a release for a ${other}`)]);
    await made('1.1.0', { product });
    await made('1.3.0', { product });
    await made('1.4.0', { product, more: ['--arch', process.arch === 'x64' ? 'arm64' : 'amd64'] });
    await made('1.5.0', { product: other });
    writeFileSync(join(folder, 'broken.release'), 'x'.repeat(2000));
    expect((await update(folder, '--wait', '100')).stdout).toContain('version: 1.3.0');
    const status = await runLintel('update', '--status', ...places(), '--json');
    expect(status.stdout).toContain('"running":"1.3.0"');
  });
});

it('a gateway ends when its package has been replaced, and is started again', async () => {
  running = launched('gateway').start();
  await served(1);
  process.kill(running.pid, 'SIGUSR2');
  await served(2);
  expect([running.starts, await running.isServing()]).toEqual([2, true]);
  expect(running.log).toContain('ended with 0');
});

it.each([
  [['FILE', '--program', 'bridge'], /--program must be controller or gateway/],
  [['FILE', '--wait', 'long'], /--wait must be seconds/],
  [[], /FILE or --status is needed/],
])('update called with %j says what is wrong', async (args, words) => {
  const { code, stderr } = await runLintel('update', ...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
});

it('update names the package that is not there', async () => {
  for (const product of ['controller', 'gateway']) {
    const { code, stderr } = await runLintel('update', folder, '--program', product, '--package', folder);
    expect([code, stderr]).toEqual([1, `${folder} has no program: this machine has no lintel-${product} package\n`]);
  }
});

it('waits for whoever is typing', async () => {
  const controller = launched('controller') as LaunchedController;
  running = controller.start();
  await served(1);
  await expect
    .poll(() =>
      controller.type('*').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(await update(await made('1.1.0', { product: 'controller' }))).toMatchObject({ code: 0 });
  // Somebody types slowly; each key is less than the quiet time after the one before.
  for (let typed = 0; typed < 8; typed++) {
    await controller.type('1');
    await new Promise(resolve => setTimeout(resolve, 400));
    expect([typed, controller.starts]).toEqual([typed, 1]);
  }
  await controller.type('*');
  await expect.poll(() => controller.last, { timeout: 100_000 }).toBe('1.1.0 confirmed');
});
