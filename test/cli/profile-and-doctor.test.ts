import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDoctorCommand } from '@lintel/device-runtime/commands/doctor';
import { afterAll, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-profile-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shipped = (name: string): string => join(import.meta.dirname, '../../hardware-profiles/profiles', `${name}.json`);

describe('lintel profile', () => {
  it('lists the products with their gadgets and drivers', async () => {
    const { code, stdout } = await runLintel('profile', 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^rpi-osdp +Raspberry Pi with OSDP readers\n +gadgets Front door, Staff door; drivers osdp, gpio$/m,
    );
    const listed = JSON.parse((await runLintel('profile', 'list', '--json')).stdout) as { product_id: string }[];
    expect(listed.map(({ product_id }) => product_id)).toContain('laptop-simulator');
  });

  it('accepts a valid profile and prints the actions of its gadgets', async () => {
    const { code, stdout } = await runLintel('profile', 'check', shipped('usb-only'));
    expect(code).toBe(0);
    expect(stdout).toContain('Door: open, unlock, lock');
  });

  it('names the field of every problem of a profile and exits with 1', async () => {
    const file = join(folder, 'mine.json');
    const profile = JSON.parse(readFileSync(shipped('usb-only'), 'utf8')) as { gadgets: { strike?: string }[] };
    profile.gadgets[0]!.strike = 'no_relay';
    writeFileSync(file, JSON.stringify({ ...profile, tamper: 'lid' }));
    const { code, stderr } = await runLintel('profile', 'check', file);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file}: gadgets[0].strike: unknown output no_relay`);
    expect(stderr).toContain(`${file}: tamper: unknown input lid`);
    const { stdout } = await runLintel('profile', 'check', file, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      problems: [{ path: 'gadgets.0.strike' }, { path: 'tamper' }],
    });
  });

  it('names a file that is not JSON or does not exist', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{');
    expect(await runLintel('profile', 'check', file)).toMatchObject({ code: 1 });
    expect((await runLintel('profile', 'check', join(folder, 'none.json'))).stderr).toMatch(/none\.json: no such file/);
    expect(await runLintel('profile', 'check', 'rpi-osdp')).toMatchObject({ code: 0 });
    const missing = join(folder, 'missing.json');
    const profile = JSON.parse(readFileSync(shipped('usb-only'), 'utf8')) as { gadgets: { strike?: string }[] };
    delete profile.gadgets[0]!.strike;
    writeFileSync(missing, JSON.stringify(profile));
    expect((await runLintel('profile', 'check', missing)).stderr).toContain('gadgets[0].strike is missing');
  });

  it.each([
    [['chek'], 'Unknown subcommand "chek". Did you mean check?'],
    [['list', 'extra'], 'Unexpected argument: extra'],
    [['check', 'a.json', 'b.json'], 'Unexpected argument: b.json'],
    [['check'], 'FILE is required'],
    [[], 'Specify list, check'],
  ])('explains the invalid arguments %j and exits with 2', async (words, message) => {
    const { code, stderr } = await runLintel('profile', ...words);
    expect(code).toBe(2);
    expect(stderr.split('\n', 1)).toEqual([message]);
  });

  it('warns of a copy with another file name and other capabilities than the shipped product', async () => {
    const file = join(folder, 'copy.json');
    const profile = JSON.parse(readFileSync(shipped('usb-only'), 'utf8')) as { capabilities: object };
    writeFileSync(file, JSON.stringify({ ...profile, capabilities: { ...profile.capabilities, gadget_max_count: 8 } }));
    const { code, stderr } = await runLintel('profile', 'check', file);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `warning: ${file}: product_id does not match the file name. Rename the file to usb-only.json`,
    );
    expect(stderr).toContain(
      `warning: ${file}: capabilities.gadget_max_count differs from the shipped profile usb-only (4)`,
    );
    const { stdout } = await runLintel('profile', 'check', file, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      warnings: [{ path: 'product_id' }, { path: 'capabilities.gadget_max_count' }],
    });
  });
});

describe('lintel doctor', () => {
  it('examines this machine and accepts simulated parts', async () => {
    const { stdout } = await runLintel('doctor', '--profile', shipped('laptop-simulator'), '--data', folder);
    expect(stdout).toMatch(/^System\n/);
    expect(stdout).toContain('ok    simulated: simulated');
  });

  it('prints one JSON document and exits with 1 when a part of the profile is missing', async () => {
    const file = join(folder, 'elsewhere.json');
    const profile = JSON.parse(readFileSync(shipped('rpi-osdp'), 'utf8')) as { buses: { gpio: { chip: string[] } } };
    profile.buses.gpio.chip = ['no-such-chip'];
    writeFileSync(file, JSON.stringify(profile));
    const { code, stdout } = await runLintel('doctor', '--profile', file, '--json');
    expect(code).toBe(1);
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: { area: string; level: string }[] };
    expect(ok).toBe(false);
    expect(findings).toContainEqual(
      expect.objectContaining({ area: 'profile', level: 'bad', text: 'gpio: no GPIO chip no-such-chip' }),
    );
  });

  it('names a missing profile and an unknown option', async () => {
    expect((await runLintel('doctor', '--profile', join(folder, 'none.json'))).stderr).toMatch(/none\.json/);
    expect(await runLintel('doctor', '--profil', 'x')).toMatchObject({ code: 2 });
  });

  it('prints one JSON document when the profile cannot be read', async () => {
    const file = join(folder, 'none.json');
    const { code, stdout } = await runLintel('doctor', '--profile', file, '--json');
    expect(code).toBe(1);
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: { area: string; text: string }[] };
    expect(ok).toBe(false);
    expect(findings.find(({ area }) => area === 'profile')?.text).toMatch(/none\.json: no such file/);
  });

  it('examines the installed controller without options, and says what it uses', async () => {
    const printed = { stdout: '', stderr: '' };
    const writer = (to: 'stdout' | 'stderr') => ({ write: (text: string) => (printed[to] += text) });
    const streams = { stdin: process.stdin, stdout: writer('stdout'), stderr: writer('stderr') };
    const service = { program: 'controller', file: '/etc/lintel/controller.conf', data: folder } as const;
    const command = createDoctorCommand(() => ({ ...service, profile: 'laptop-simulator' }));
    await command.run([], streams);
    expect(printed.stderr).toBe(`Data folder ${folder}, profile laptop-simulator (from /etc/lintel/controller.conf)\n`);
    expect(printed.stdout).toContain('ok    simulated: simulated');
  });

  it('reports a data directory that it cannot read', async () => {
    const data = join(folder, 'closed');
    writeFileSync(data, '');
    const { code, stdout } = await runLintel('doctor', '--data', data);
    expect(code).toBe(1);
    expect(stdout).not.toContain('not claimed yet');
    expect(stdout).toContain(`${data} cannot be read`);
  });
});
