import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { programPaths } from '@lintel/updates/program-paths';
import { describe, expect, it } from 'vitest';

const clone = join(import.meta.dirname, '../..');
const packages = [
  ['controller', 'packages/packaging/files/controller', 'lintel-update-stick'],
  ['gateway', 'packages/packaging/files/gateway', 'lintel-gateway-update-stick'],
] as const;

const filesOf = (folder: string): string[] => {
  const root = join(clone, folder, 'root');
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(path => statSync(join(root, path)).isFile());
};

describe.each(packages)('Update units of the %s package', (product, folder, stick) => {
  const root = join(clone, folder, 'root');
  const units = join(root, 'usr/lib/systemd/system');
  const places = programPaths[product];

  it('start the launcher with the release folders that `lintel update` writes to', () => {
    const unit = readFileSync(join(units, `lintel-${product}.service`), 'utf8');
    const call = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
    expect(call).toContain(
      `${places.package}/program/launcher.js --releases ${places.releases} --package ${places.package} -- `,
    );
    const state = /^StateDirectory=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    expect(state.map(name => `/var/lib/${name}`)).toContain(places.releases);
    const temporary = readFileSync(join(root, `usr/lib/tmpfiles.d/lintel-${product}.conf`), 'utf8');
    for (const place of [places.releases, places.keys]) expect(temporary).toContain(`d ${place} `);
  });

  it('install releases from a USB drive with minimal privileges', () => {
    const rule = readFileSync(join(root, `usr/lib/udev/rules.d/72-${stick}.rules`), 'utf8');
    expect(rule).toContain(`ENV{SYSTEMD_WANTS}+="${stick}@%k.service"`);
    const unit = readFileSync(join(units, `${stick}@.service`), 'utf8');
    expect(unit).toContain(`\nExecStart=/usr/libexec/${stick} /dev/%I\n`);
    expect(unit).toContain(`\nReadWritePaths=-${places.releases}\n`);
    expect(unit).toContain('\nPrivateNetwork=yes\n');
    const script = join(root, 'usr/libexec', stick);
    expect(statSync(script).mode & 0o111).not.toBe(0);
    const text = readFileSync(script, 'utf8');
    expect(text).toContain(`${places.package}/lintel-${product} update "$place/lintel"`);
    expect(text).toContain('mount -o ro,nosuid,nodev,noexec ');
    const { status, stderr } = spawnSync('sh', ['-n', script], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('delete all releases when the package is purged', () => {
    const script = readFileSync(join(clone, folder, 'debian/postrm'), 'utf8');
    expect(script).toMatch(new RegExp(`rm -rf .*${places.releases}$`, 'm'));
  });
});

describe('Update units of both packages', () => {
  it('have no file in common between controller and gateway, so that both can be installed', () => {
    const [controller, gateway] = packages.map(([, folder]) => filesOf(folder));
    expect(controller!.filter(path => gateway!.includes(path))).toEqual([]);
    const all = Object.values(programPaths).flatMap(({ releases, package: program, keys }) => [
      releases,
      program,
      keys,
    ]);
    expect(new Set(all).size).toBe(6);
  });
});
