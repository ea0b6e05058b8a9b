import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateReleasePrivateKey, createReleaseSigner } from '@lintel/updates/release-files/release-keys';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keepFailureEvidence } from '../support/faults/failure-evidence.ts';
import { LaunchedController } from '../support/processes/launched-controller.ts';
import { LaunchedGateway } from '../support/processes/launched-gateway.ts';
import type { LaunchedProgram } from '../support/processes/launched-program.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import {
  type TestReleaseBehavior,
  type TestReleaseProduct,
  releaseFolder,
} from '../support/processes/write-test-release-folder.ts';

const key = generateReleasePrivateKey();
const LONG = { timeout: 110_000 };
const slow = { tags: ['slow'] };

/** Releases, keys and data of one program. */
class UpdateFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'lintel-update-'));
  readonly #product: TestReleaseProduct;

  constructor(product: TestReleaseProduct) {
    this.#product = product;
    writeFileSync(join(this.path, 'release.key'), key, { mode: 0o600 });
    writeFileSync(join(this.path, 'a.pub'), createReleaseSigner(key).publicPem);
  }

  launch(times: { readonly trialSeconds?: number; readonly deadlineSeconds?: number } = {}): LaunchedProgram {
    const options = {
      dataDir: join(this.path, 'data'),
      releases: join(this.path, 'releases'),
      packageFolder: releaseFolder(join(this.path, 'package'), '1.0.0', 'healthy', this.#product),
      keys: this.path,
      ...times,
    };
    return (this.#product === 'gateway' ? new LaunchedGateway(options) : new LaunchedController(options)).start();
  }

  get places(): readonly string[] {
    const { path } = this;
    return ['--releases', join(path, 'releases'), '--package', join(path, 'package'), '--keys', path];
  }

  async makeRelease(version: string, behavior: TestReleaseBehavior = 'healthy'): Promise<string> {
    const file = join(this.path, `${version}.release`);
    const from = releaseFolder(join(this.path, version), version, behavior, this.#product);
    const call = ['--from', from, '--key', join(this.path, 'release.key'), '--out', file];
    const { code, stderr } = await runLintel('release', 'make', ...call);
    if (code !== 0) throw new Error(stderr);
    return file;
  }

  async update(version: string, behavior: TestReleaseBehavior = 'healthy'): Promise<void> {
    const file = await this.makeRelease(version, behavior);
    const { code, stderr } = await runLintel('update', file, ...this.places);
    if (code !== 0) throw new Error(stderr);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const expectRolledBack = async (program: LaunchedProgram, version: string, reason: RegExp): Promise<void> => {
  await expect.poll(() => program.last, LONG).toBe(`${version} rolled_back`);
  expect(program.files.read().last?.reason).toMatch(reason);
  await expect.poll(() => program.isServing(), LONG).toBe(true);
};

/** A version that runs, and whose health check fails. */
const unhealthy = {
  controller: ['unreadableStorage', /event_store/],
  gateway: ['closedPorts', /ready/],
} as const satisfies Record<TestReleaseProduct, readonly [TestReleaseBehavior, RegExp]>;

const describeLauncher = (product: TestReleaseProduct): void => {
  let folder: UpdateFolder;
  let program: LaunchedProgram;
  beforeAll(async () => {
    folder = new UpdateFolder(product);
    program = folder.launch();
    await vi.waitUntil(() => program.isServing(), LONG);
  }, LONG.timeout);
  afterEach(context => {
    keepFailureEvidence(context, { directories: [folder.path], logs: { [product]: program.log } });
  });
  afterAll(async () => {
    await program.stop('SIGKILL');
    folder.remove();
  });

  it('returns to the previous version when the new one exits', slow, async () => {
    await folder.update('1.1.0', 'exits');
    await expectRolledBack(program, '1.1.0', /crashed/);
    expect(program.good).toBeNull();
  });

  it('confirms a new version that serves, and starts it from then on', { tags: ['slow'] }, async () => {
    await folder.update('1.3.0');
    await expect.poll(() => program.last, LONG).toBe('1.3.0 confirmed');
    expect(program.good).toBe('1.3.0');
    const { readies } = program;
    program.cutPower();
    await expect.poll(() => program.readies, LONG).toBe(readies + 1);
    expect(program.files.read().candidate).toBeNull();
    const status = await runLintel('update', '--status', '--program', product, ...folder.places);
    expect(status.stdout).toContain('running: 1.3.0');
  });

  it('waits with --wait until the new version is confirmed', slow, async () => {
    const file = await folder.makeRelease('1.4.0');
    const { code, stdout, stderr } = await runLintel('update', file, ...folder.places, '--wait', '100', '--json');
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('"confirmed"'), '']);
  });

  it('starts the program again when SIGUSR2 announces a replaced package', slow, async () => {
    const { readies } = program;
    process.kill(program.pid, 'SIGUSR2');
    await expect.poll(() => program.readies, LONG).toBe(readies + 1);
    expect(program.log).toContain('ended with 0');
  });
};

describe('Launcher of a controller', () => {
  describeLauncher('controller');
});
describe('Launcher of a gateway', slow, () => {
  describeLauncher('gateway');
});

describe.each(['controller', 'gateway'] as const)('Launcher of a %s whose trial is short', slow, product => {
  const [behavior, reason] = unhealthy[product];

  it.each([
    ['is not healthy', behavior, reason, { deadlineSeconds: 2 }],
    ['hangs', 'hangs', /late/, { trialSeconds: 2 }],
  ] as const)('returns to the previous version when the new one %s', async (_, newBehavior, expectedReason, times) => {
    const folder = new UpdateFolder(product);
    const program = folder.launch(times);
    onTestFinished(async context => {
      await program.stop('SIGKILL');
      keepFailureEvidence(context, { directories: [folder.path], logs: { [product]: program.log } });
      folder.remove();
    });
    await expect.poll(() => program.isServing(), LONG).toBe(true);
    await folder.update('1.1.0', newBehavior);
    await expectRolledBack(program, '1.1.0', expectedReason);
    expect(program.good).toBeNull();
  });
});
