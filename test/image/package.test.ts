import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { dpkgDeb, requirePackage, unpack } from '../support/processes/built-package.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const clone = join(import.meta.dirname, '../..');
const arm64 = { program: 'controller', arch: 'arm64' } as const;
const slowly = 120_000;

describe('lintel image package', () => {
  it.each([
    [[], /--arch is needed/],
    [['--arch', 'armhf'], /--arch must be arm64 or amd64/],
    [['--arch', 'arm64', '--program', 'bridge'], /--program must be controller, gateway or all/],
    [['--arch', 'arm64', '--version', 'latest'], /--version must be like 1\.2\.3/],
    [['--arch', 'arm64', '--colour'], /--colour/],
  ])('called with %j says what is wrong', async (args, message) => {
    const { code, stderr } = await runLintel('image', 'package', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.each(['package', 'packages'])('refuses a folder for %s that cannot be written, at once', async name => {
    const { code, stderr } = await runLintel(
      'image',
      name,
      '--out',
      '/proc/x',
      ...(name === 'package' ? ['--arch', 'arm64'] : []),
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^--out \/proc\/x is no folder that can be written: .*\n$/),
    ]);
  });

  it('explains itself', async () => {
    const { code, stdout } = await runLintel('image', 'package', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('npx lintel image package --arch arm64');
  });

  it(
    'makes the same bytes in another folder, time zone, language and mask',
    async context => {
      const { sha256, size, version } = await requirePackage(context, arm64);
      const out = mkdtempSync(join(tmpdir(), 'lintel-package-again-'));
      const call = [
        join(clone, 'lintel.ts'),
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
    },
    slowly,
  );
});

const E_MACHINE = 18;
const AARCH64 = 183;

describe("a controller's package", () => {
  it(
    'is one that dpkg takes, and says what it needs',
    async context => {
      const { file, version, installed_size } = await requirePackage(context, arm64);
      const control = await dpkgDeb('-f', file);
      expect(control).toContain(`Package: lintel-controller\nVersion: ${version}\nArchitecture: arm64\n`);
      expect(control).toMatch(/^Depends: .*libc6 .*libstdc\+\+6.*libpcsclite1/m);
      expect(control).toMatch(/^Recommends: pcscd, libccid/m);
      expect(control).toContain(`Installed-Size: ${installed_size / 1024}\n`);
      expect(await dpkgDeb('-I', file, 'conffiles')).toContain('/etc/lintel/controller.conf\n');
      expect(await dpkgDeb('-I', file, 'templates')).toMatch(/Default: false/);
    },
    slowly,
  );

  it(
    'has the programs, Node, profiles, pages, units and rules, all of them of root and none for others to write',
    async context => {
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
    },
    slowly,
  );

  it(
    'has native parts for its processor only',
    async context => {
      const home = join(await unpack(await requirePackage(context, arm64)), 'usr/lib/lintel-controller');
      const addons = readdirSync(join(home, 'addons'));
      expect(addons.sort()).toEqual(['better-sqlite3.node', 'koffi.node', 'serialport.node']);
      for (const path of ['bin/node', ...addons.map(name => `addons/${name}`)])
        expect([path, readFileSync(join(home, path)).readUInt16LE(E_MACHINE)]).toEqual([path, AARCH64]);
    },
    slowly,
  );

  it(
    'names the licence of everything inside, and nothing of the machine that made it',
    async context => {
      const root = await unpack(await requirePackage(context, arm64));
      const copyright = readFileSync(join(root, 'usr/share/doc/lintel-controller/copyright'), 'utf8');
      for (const name of ['fastify', 'zod', 'better-sqlite3', 'koffi', '@serialport/bindings-cpp', 'mqtt'])
        expect(copyright).toMatch(new RegExp(`^  ${name} \\d+\\.\\d+\\.\\d+: `, 'm'));
      const program = join(root, 'usr/lib/lintel-controller/program');
      for (const name of readdirSync(program)) expect(readFileSync(join(program, name), 'utf8')).not.toContain(clone);
    },
    slowly,
  );
});
