import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildDebianPackageTree, debianPackagesByProgram } from '@lintel/packaging/testing';
import { describe, expect, it } from 'vitest';
import { dpkgDeb, requireNpm, requirePackage, unpack } from '../support/processes/build-and-unpack-debian-package.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const clone = join(import.meta.dirname, '../..');
const arm64 = { program: 'controller', arch: 'arm64' } as const;

describe('lintel image package', () => {
  it.each([
    [[], /--arch is required/],
    [['--arch', 'armhf'], /--arch must be arm64 or amd64/],
    [['--arch', 'arm64', '--program', 'door'], /--program must be controller, gateway, bridge or all/],
    [['--arch', 'arm64', '--version', 'latest'], /--version must be like 1\.2\.3/],
    [['--arch', 'arm64', '--colour'], /--colour/],
  ])('rejects %j with an explanation', async (args, message) => {
    const { code, stderr } = await runLintel('image', 'package', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.each(['package', 'packages'])('rejects an output folder for image %s that is not writable', async name => {
    const { code, stderr } = await runLintel(
      'image',
      name,
      '--out',
      '/proc/x',
      ...(name === 'package' ? ['--arch', 'arm64'] : []),
    );
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^--out: \/proc\/x: .*\n$/)]);
  });

  it('prints its usage', async () => {
    const { code, stdout } = await runLintel('image', 'package', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('npx lintel image package --arch arm64');
  });

  it('produces the same bytes in another folder, time zone, locale and umask', { tags: ['slow'] }, async context => {
    const { sha256, size, version } = await requirePackage(context, arm64);
    const out = mkdtempSync(join(tmpdir(), 'lintel-package-again-'));
    const call = [
      join(clone, 'cli/src/lintel.ts'),
      'image',
      'package',
      '--arch',
      'arm64',
      '--program',
      'controller',
      '--json',
    ];
    const shell = `umask 077; exec "$0" "$@"`;
    const env = { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C' };
    const { stdout } = await promisify(execFile)('sh', ['-c', shell, process.execPath, ...call], { cwd: out, env });
    const file = `lintel-controller_${version}_arm64.deb`;
    expect(JSON.parse(stdout)).toEqual({
      packages: [expect.objectContaining({ file, arch: 'arm64', size, sha256, installed_size: expect.any(Number) })],
    });
    expect(
      createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex'),
    ).toBe(sha256);
    rmSync(out, { recursive: true });
  });
});

const E_MACHINE = 18;
const AARCH64 = 183;
const X86_64 = 62;

describe('buildDebianPackageTree', { tags: ['slow'] }, () => {
  it.for([
    ['arm64', AARCH64],
    ['amd64', X86_64],
  ] as const)(
    'contains Node, launcher, profiles and units for %s, writable only by their owner',
    async ([arch, machine], context) => {
      // Without the bundled program and the pages, which take long to build.
      const parts = { ...debianPackagesByProgram.controller, pages: null };
      const bundled = { files: [], addons: new Set<never>(), packages: [] };
      const tree = await requireNpm(
        context,
        buildDebianPackageTree({ parts, arch, version: '1.2.3', bundled, releaseKeys: null }),
      );
      const entries = new Map(tree.map(entry => [entry.path, entry]));
      for (const path of [
        'usr/lib/lintel-controller/profiles/rpi-gpio-acr122u.json',
        'usr/lib/systemd/system/lintel-controller.service',
        'usr/lib/udev/rules.d/70-lintel.rules',
        'usr/share/doc/lintel-controller/copyright',
      ])
        expect(entries.get(path)).toMatchObject({ mode: 0o644 });
      expect(entries.get('usr/lib/lintel-controller/lintel-controller')).toMatchObject({ mode: 0o755 });
      expect(entries.get('usr/bin/lintel-controller')).toMatchObject({
        target: '../lib/lintel-controller/lintel-controller',
      });
      const node = entries.get('usr/lib/lintel-controller/bin/node') as { content: Uint8Array };
      expect(Buffer.from(node.content).readUInt16LE(E_MACHINE)).toBe(machine);
    },
  );
});

describe('Controller package', { tags: ['slow'] }, () => {
  it('is readable by dpkg and declares its dependencies', async context => {
    const { file, version, installed_size } = await requirePackage(context, arm64);
    const control = await dpkgDeb('-f', file);
    expect(control).toContain(`Package: lintel-controller\nVersion: ${version}\nArchitecture: arm64\n`);
    expect(control).toMatch(/^Depends: .*libc6 .*libstdc\+\+6.*libpcsclite1/m);
    expect(control).toMatch(/^Recommends: pcscd, libccid/m);
    expect(control).toContain(`Installed-Size: ${installed_size / 1024}\n`);
    expect(await dpkgDeb('-I', file, 'conffiles')).toContain('/etc/lintel/controller.conf\n');
    expect(await dpkgDeb('-I', file, 'templates')).toMatch(/Default: false/);
  });

  it('contains programs, Node, profiles, pages, units and rules, owned by root and writable only by root', async context => {
    const { file } = await requirePackage(context, arm64);
    const lines = (await dpkgDeb('-c', file)).trim().split('\n');
    const paths = lines.map(line => line.split(/\s+/).slice(5).join(' '));
    for (const path of [
      './usr/lib/lintel-controller/bin/node',
      './usr/lib/lintel-controller/program/lintel-controller.js',
      './usr/lib/lintel-controller/program/lintel-controller.js.map',
      './usr/lib/lintel-controller/program/pcsc-process.js',
      './usr/lib/lintel-controller/pages/technician.html',
      './usr/lib/lintel-controller/profiles/rpi-gpio-acr122u.json',
      './usr/lib/systemd/system/lintel-controller.service',
      './usr/lib/systemd/journald.conf.d/50-lintel.conf',
      './usr/lib/udev/rules.d/70-lintel.rules',
      './usr/lib/sysusers.d/lintel-controller.conf',
      './usr/lib/tmpfiles.d/lintel-controller.conf',
      './usr/lib/modprobe.d/lintel-nfc.conf',
      './usr/share/doc/lintel-controller/copyright',
    ])
      expect(paths).toContain(path);
    expect(paths).toContain('./usr/bin/lintel-controller -> ../lib/lintel-controller/lintel-controller');
    for (const line of lines) expect(line).toMatch(/^(?:[dl-]rw[x-]r-[x-]r-[x-]|lrwxrwxrwx) root\/root /);
  });

  it('contains native addons for its architecture only', async context => {
    const home = join(await unpack(await requirePackage(context, arm64)), 'usr/lib/lintel-controller');
    const addons = readdirSync(join(home, 'addons'));
    expect(addons.sort()).toEqual(['better-sqlite3.node', 'koffi.node', 'serialport.node']);
    for (const path of ['bin/node', ...addons.map(name => `addons/${name}`)])
      expect([path, readFileSync(join(home, path)).readUInt16LE(E_MACHINE)]).toEqual([path, AARCH64]);
  });

  it('lists the license of every dependency and no path of the build machine', async context => {
    const root = await unpack(await requirePackage(context, arm64));
    const copyright = readFileSync(join(root, 'usr/share/doc/lintel-controller/copyright'), 'utf8');
    for (const name of ['fastify', 'zod', 'better-sqlite3', 'koffi', '@serialport/bindings-cpp', 'mqtt'])
      expect(copyright).toMatch(new RegExp(`^  ${name} \\d+\\.\\d+\\.\\d+: `, 'm'));
    const program = join(root, 'usr/lib/lintel-controller/program');
    for (const name of readdirSync(program)) expect(readFileSync(join(program, name), 'utf8')).not.toContain(clone);
  });
});
