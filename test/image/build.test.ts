import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { debArchive } from '@lintel/device-runtime/image/package/deb-archive';
import { textFile } from '@lintel/device-runtime/image/package/package-tree';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

const profile = join(import.meta.dirname, '../../hardware-profiles/profiles/usb-only.json');
const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-image-build-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What is wrong is said before the long work begins, and nothing is left behind. */
const refusal = async (given: string, ...args: readonly string[]): Promise<string> => {
  const out = join(folder, 'door.img');
  const { code, stderr } = await runLintel('image', 'build', '--profile', given, '--out', out, ...args);
  expect(existsSync(out)).toBe(false);
  return `${code} ${stderr.trim()}`;
};

it('names the place in a profile that is wrong', async () => {
  const broken = join(folder, 'broken.json');
  const content = JSON.parse(readFileSync(profile, 'utf8')) as { gadgets: Record<string, unknown>[] };
  content.gadgets[0]!['strike'] = 'no_such_relay';
  writeFileSync(broken, JSON.stringify(content));
  expect(await refusal(broken)).toMatch(/^1 .*gadgets\.0\.strike there is no output/);
  expect(await refusal(join(folder, 'none.json'))).toMatch(/^1 .*none\.json/);
  expect(await refusal(join(import.meta.dirname, '../../hardware-profiles/profiles/gateway.json'))).toContain(
    'is no door controller',
  );
});

it('names a code, an address, a key and a folder that are wrong', async () => {
  const claim = ['--bridge', 'https://doors.example.com', '--code'];
  expect(await refusal(profile, ...claim, '7K3M')).toMatch(/^1 --code must have twelve/);
  expect(await refusal(profile, '--bridge', 'doors', '--code', '7K3M-0QXW-PT5H')).toMatch(/^1 --bridge: /);
  writeFileSync(join(folder, 'id'), '-----BEGIN OPENSSH PRIVATE KEY-----\n');
  expect(await refusal(profile, '--ssh-key', join(folder, 'id'))).toMatch(/^1 --ssh-key .*private key/);
  expect(await refusal(profile, '--overlay', join(folder, 'none'))).toMatch(/^1 --overlay .*is no folder/);
});

it('refuses a package that was cut off and one for another processor in one sentence', async () => {
  const whole = await debArchive(
    [textFile('control', 'Package: lintel-controller\nVersion: 1.0.0\nArchitecture: amd64\n')],
    [textFile('usr/x', 'x')],
    0,
  );
  const file = join(folder, 'lintel-controller_1.0.0_arm64.deb');
  writeFileSync(file, whole.subarray(0, 300));
  expect(await refusal(profile, '--package', file)).toBe(`1 ${file} was cut off: copy or build it again`);
  writeFileSync(file, whole);
  expect(await refusal(profile, '--package', file)).toBe(
    `1 --package ${file} is lintel-controller for amd64: lintel-controller for arm64 is needed`,
  );
});

it('refuses a label and release keys that would fail at the end, at the beginning', async () => {
  expect(await refusal(profile, '--label', 'x.gif')).toMatch(/^2 --label x\.gif must end in \.pdf or \.png/);
  expect(await refusal(profile, '--label', join(folder, 'none/x.pdf'))).toBe(`1 ${folder}/none does not exist`);
  expect(await refusal(profile, '--release-keys', folder)).toBe(`1 ${folder} has no public key (*.pub)`);
});

it('says how much room is missing on a disk that is full', async context => {
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
