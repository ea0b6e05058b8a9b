import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

const run = promisify(execFile);

let folder: string;
let image: string;
let loop: string | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-flash-'));
  image = join(folder, 'door.img');
  const bytes = Buffer.alloc(9 << 20, 'door');
  bytes.writeUInt16LE(0xaa55, 510);
  writeFileSync(image, bytes);
  loop = null;
});
afterEach(async () => {
  if (loop !== null) await run('losetup', ['--detach', loop]);
  rmSync(folder, { recursive: true, force: true });
});

/** A loop device. Skips the test if the machine has none. */
const disk = async (context: TestContext, bytes: number, ...options: readonly string[]): Promise<string> => {
  const file = join(folder, 'card');
  writeFileSync(file, '');
  truncateSync(file, bytes);
  try {
    const { stdout } = await run('losetup', ['--find', '--show', ...options, file]);
    loop = stdout.trim();
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    return context.skip(`no loop device available (requires root, losetup and /dev/loop*): ${stderr.trim()}`);
  }
  return loop;
};

describe('lintel image flash', () => {
  it('writes a disk and verifies it', async context => {
    const device = await disk(context, 16 << 20);
    const { code, stdout, stderr } = await runLintel('image', 'flash', device, image, '--yes', '--json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('verifying 100 %')]);
    expect(JSON.parse(stdout)).toMatchObject({ device, bytes: 9 << 20, verified: true });
    const written = readFileSync(join(folder, 'card')).subarray(0, 9 << 20);
    expect(written.equals(readFileSync(image))).toBe(true);
  });

  it('rejects a mounted disk and does not change it', async context => {
    const device = await disk(context, 16 << 20);
    await run('mke2fs', ['-q', device]);
    const place = mkdtempSync(join(folder, 'mounted-'));
    await run('mount', [device, place]);
    try {
      const before = readFileSync(join(folder, 'card')).subarray(0, 1 << 20);
      const { code, stderr } = await runLintel('image', 'flash', device, image, '--yes');
      expect([code, stderr]).toEqual([1, expect.stringContaining(`is mounted: ${device} on ${place}`)]);
      expect(
        readFileSync(join(folder, 'card'))
          .subarray(0, 1 << 20)
          .equals(before),
      ).toBe(true);
    } finally {
      await run('umount', [place]);
    }
  });

  it('writes nothing without confirmation or to a disk that is too small', async context => {
    const device = await disk(context, 8 << 20);
    const small = await runLintel('image', 'flash', device, image, '--yes');
    expect([small.code, small.stderr]).toEqual([1, expect.stringContaining('is too small')]);
    writeFileSync(image, readFileSync(image).subarray(0, 1 << 20));
    const unconfirmed = await runLintel('image', 'flash', device, image);
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([1, expect.stringContaining('--yes')]);
    expect(readFileSync(join(folder, 'card')).every(byte => byte === 0)).toBe(true);
  });

  it('rejects a write-protected disk', async context => {
    const device = await disk(context, 16 << 20, '--read-only');
    const { code, stderr } = await runLintel('image', 'flash', device, image, '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('write protected')]);
  });

  it('rejects a target that is not a disk, a missing target and a file that is not an image', async () => {
    const failureOf = async (...args: readonly string[]) => {
      const { code, stderr } = await runLintel('image', 'flash', ...args);
      return `${code} ${stderr.split('\n')[0]}`;
    };
    expect(await failureOf(image, image, '--yes')).toContain(`1 ${image} is not a block device`);
    expect(await failureOf('/dev/nothing', image, '--yes')).toBe('1 /dev/nothing does not exist');
    expect(await failureOf()).toBe('2 DEVICE is required');
    expect(await failureOf('/dev/sdz', image, 'more')).toBe('2 Unexpected argument: more');
    expect(await failureOf('/dev/sdz', '--fast')).toContain('2 Unknown option');
  });
});
