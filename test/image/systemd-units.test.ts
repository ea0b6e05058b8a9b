import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireProgram } from '../support/require-program.ts';

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

describe('device access of the controller package', () => {
  const read = (path: string): string => readFileSync(join(clone, 'packages/packaging/files/controller', path), 'utf8');
  const rules = read('root/usr/lib/udev/rules.d/70-lintel.rules').split('\n');

  it.each([
    { part: 'relays on pins', subsystem: 'gpio', group: 'gpio', allowed: 'gpiochip', module: null },
    { part: 'I2C', subsystem: 'i2c-dev', group: 'i2c', allowed: 'i2c', module: 'i2c-dev' },
    { part: 'SPI', subsystem: 'spidev', group: 'spi', allowed: 'spi', module: 'spidev' },
    { part: 'HID relays', subsystem: 'hidraw', group: 'dialout', allowed: 'hidraw', module: 'usbhid' },
    { part: 'USB serial ports', subsystem: 'tty', group: 'dialout', allowed: 'ttyUSB', module: 'usbserial' },
    { part: 'USB keypads', subsystem: 'input', group: 'input', allowed: 'input', module: null },
  ])('includes $part: rule, group, unit and kernel module', ({ subsystem, group, allowed, module }) => {
    expect(rules.filter(line => line.startsWith(`SUBSYSTEM=="${subsystem}"`))).not.toEqual([]);
    expect(read('root/usr/lib/sysusers.d/lintel-controller.conf')).toContain(`m lintel ${group}\n`);
    expect(read('debian/postinst')).toMatch(new RegExp(`for group in [a-z0-9 ]*\\b${group}\\b`));
    expect(read('debian/postinst')).toContain(`--subsystem-match=${subsystem}`);
    expect(read('root/usr/lib/systemd/system/lintel-controller.service')).toContain(
      `\nDeviceAllow=char-${allowed} rw\n`,
    );
    if (module === null) return;
    expect(read('root/usr/lib/modules-load.d/lintel.conf').split('\n')).toContain(module);
    expect(read('debian/postinst')).toMatch(new RegExp(`modprobe -q -a .*\\b${module}\\b`));
  });

  it('limits the rule for HID to relays 16c0:05df', () => {
    const [rule, ...others] = rules.filter(line => line.includes('hidraw'));
    expect(others).toEqual([]);
    expect(rule).toContain('ATTRS{idVendor}=="16c0", ATTRS{idProduct}=="05df", GROUP="dialout", MODE="0660"');
  });
});
