import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireProgram } from '../reporting/require-program.ts';

const clone = join(import.meta.dirname, '../..');
const units = [
  ['lintel-controller', 'packages/packaging/files/controller'],
  ['lintel-gateway', 'packages/packaging/files/gateway'],
  ['lintel-bridge', 'packages/packaging/files/bridge'],
] as const;

const unitFile = (name: string, folder: string): string =>
  join(clone, folder, 'root/usr/lib/systemd/system', `${name}.service`);

const WORST = 2;

describe.each(units)('systemd unit of %s', (name, folder) => {
  it('has an exposure level that systemd-analyze rates OK', context => {
    requireProgram(context, { command: 'systemd-analyze', install: 'apt-get install systemd' });
    const call = ['security', '--offline=yes', unitFile(name, folder)];
    const { stdout } = spawnSync('systemd-analyze', call, { encoding: 'utf8' });
    const score = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThanOrEqual(WORST);
  });

  it('has a watchdog, always restarts and cannot gain privileges', () => {
    const text = readFileSync(unitFile(name, folder), 'utf8');
    for (const line of ['Type=notify', 'Restart=always', 'StartLimitIntervalSec=0', 'NoNewPrivileges=yes'])
      expect(text).toContain(`\n${line}\n`);
    expect(text).toMatch(/\nWatchdogSec=\d+\n/);
    expect(text).toMatch(/\nMemoryMax=/);
    expect(text).toMatch(/\nUser=lintel/);
    expect(Number(/\nTimeoutStopSec=(\d+)\n/.exec(text)?.[1])).toBeGreaterThan(5);
  });

  it.each(['postinst', 'prerm', 'postrm'])('has a %s script that sh can parse', script => {
    const { status, stderr } = spawnSync('sh', ['-n', join(clone, folder, 'debian', script)], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});
