import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';
import { fakeDeb } from './sd-card-fixtures.ts';

const profile = join(import.meta.dirname, '../../hardware-profiles/profiles/usb-only.json');
const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-image-build-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Exit code and message of a build that is rejected before it writes anything. */
const rejection = async (given: string, ...args: readonly string[]): Promise<string> => {
  const out = join(folder, 'door.img');
  const { code, stderr } = await runLintel('image', 'build', '--profile', given, '--out', out, ...args);
  expect(existsSync(out)).toBe(false);
  return `${code} ${stderr.trim()}`;
};

describe('lintel image build', () => {
  it('reports the position of an error in the profile', async () => {
    const broken = join(folder, 'broken.json');
    const content = JSON.parse(readFileSync(profile, 'utf8')) as { gadgets: Record<string, unknown>[] };
    content.gadgets[0]!['strike'] = 'no_such_relay';
    writeFileSync(broken, JSON.stringify(content));
    expect(await rejection(broken)).toMatch(/^1 .*gadgets\[0\]\.strike: unknown output no_such_relay/);
    expect(await rejection(join(folder, 'none.json'))).toMatch(/^1 .*none\.json/);
    expect(await rejection(join(import.meta.dirname, '../../hardware-profiles/profiles/gateway.json'))).toContain(
      'is not a door controller',
    );
  });

  it('rejects an invalid code, URL, SSH key or overlay folder', async () => {
    const claim = ['--bridge', 'https://doors.example.com', '--code'];
    expect(await rejection(profile, ...claim, '7K3M')).toMatch(/^1 --code must have twelve/);
    expect(await rejection(profile, '--bridge', 'doors', '--code', '7K3M-0QXW-PT5H')).toMatch(/^1 --bridge: /);
    writeFileSync(join(folder, 'id'), '-----BEGIN OPENSSH PRIVATE KEY-----\n');
    expect(await rejection(profile, '--ssh-key', join(folder, 'id'))).toMatch(/^1 --ssh-key .*private key/);
    expect(await rejection(profile, '--overlay', join(folder, 'none'))).toMatch(/^1 --overlay: Not a directory: /);
  });

  it('rejects a truncated package and one for another architecture', async () => {
    const file = fakeDeb(folder, 'lintel-controller_1.0.0_arm64.deb', 'lintel-controller_1.0.0_amd64.deb');
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, 300));
    expect(await rejection(profile, '--package', file)).toBe(`1 ${file} was cut off: copy or build it again`);
    writeFileSync(file, whole);
    expect(await rejection(profile, '--package', file)).toBe(
      `1 --package ${file} is lintel-controller for amd64, but lintel-controller for arm64 is required`,
    );
  });

  it('rejects an invalid label or release key folder before it builds', async () => {
    expect(await rejection(profile, '--label', 'x.png')).toMatch(/^2 --label x\.png must end in \.pdf/);
    expect(await rejection(profile, '--label', join(folder, 'none/x.pdf'))).toBe(`1 ${folder}/none does not exist`);
    expect(await rejection(profile, '--release-keys', folder)).toBe(`1 ${folder} has no public keys (*.pub)`);
  });

  it('reports how much disk space is missing', async context => {
    const small = join(folder, 'small');
    mkdirSync(small);
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small]);
    } catch {
      context.skip('a small disk cannot be mounted here (root is needed)');
    }
    try {
      const call = ['--profile', profile, '--out', join(small, 'door.img')];
      const { code, stderr } = await runLintel('image', 'build', ...call);
      expect([code, stderr.trim()]).toEqual([1, `${small} has 8 MiB left, the build needs 1000 MiB there`]);
    } finally {
      await run('umount', [small]);
    }
  });
});
