import { copyFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SelectedProfileFile } from '@lintel/device-runtime/testing';
import { parseSdCardSettings, prepareSdCard } from '@lintel/packaging/testing';
import { describe, expect, it } from 'vitest';
import { iterations } from '../support/test-iterations-and-seed.ts';
import {
  bookworm,
  bookwormFromImager,
  fakeDeb,
  makeTempFolder,
  trixie,
  trixieImagerBootFiles,
  writeFiles,
} from './sd-card-fixtures.ts';
import { PREPARED_AT, prepareDependencies, prepareTestCard } from './prepare-test-sd-card.ts';
import {
  callsOf,
  copyPi,
  diskContentsOf,
  type Pi,
  createPi,
  runScript,
  runScriptWithSh,
  diskStepsOf,
  truncateUnfinishedFiles,
  readFileOn,
} from './pi-sandbox.ts';

const FIRST_BOOT = 'usr/local/lib/lintel/first-boot.sh';

const started = async (card: string): Promise<Pi> => {
  const pi = createPi(card);
  expect(await runScript(pi, 'boot/firmware/lintel/start.sh', ['now'])).toMatchObject({ status: 0 });
  return pi;
};

const secretsOn = (pi: Pi) => ({
  hardwareId: readFileOn(pi, 'var/lib/lintel/identity/hardware-id')?.trim(),
  code: readFileOn(pi, 'var/lib/lintel/technician/setup-code')?.trim(),
  key: readFileOn(pi, 'var/lib/lintel/technician/key.pem')?.startsWith('-----BEGIN PRIVATE KEY-----'),
  modes: ['setup-code', 'key.pem', 'certificate.pem'].map(
    name => statSync(join(pi.root, 'var/lib/lintel/technician', name)).mode & 0o777,
  ),
});

describe('First boot of a prepared card', () => {
  it('turns a stock system into a controller and leaves no secret on the card', async () => {
    const { card, label } = await prepareTestCard(
      trixie,
      '--bridge',
      'https://doors.example.com',
      '--code',
      '7K3M-0QXW-PT5H',
    );
    const pi = await started(card);
    expect(await runScript(pi, FIRST_BOOT)).toMatchObject({ status: 0 });

    expect(secretsOn(pi)).toEqual({
      hardwareId: label.hardwareId,
      code: label.setupCode,
      key: true,
      modes: [0o600, 0o600, 0o600],
    });
    expect(JSON.parse(readFileOn(pi, 'var/lib/lintel/state/time_floor.json')!)).toBe(PREPARED_AT);
    expect(JSON.parse(readFileOn(pi, 'var/lib/lintel/identity/pending-claim.json')!)).toMatchObject({
      proof: { code: '7K3M-0QXW-PT5H', bridgeUrl: 'https://doors.example.com' },
      product_id: 'rpi-gpio-acr122u',
    });
    expect(readFileOn(pi, 'etc/hostname')).toBe(`${label.name}\n`);
    expect(readFileOn(pi, 'etc/hosts')).toBe(`127.0.0.1\tlocalhost\n127.0.1.1\t${label.name}\n`);
    const { profile, problem } = new SelectedProfileFile(join(pi.root, 'var/lib/lintel')).read();
    expect([profile.product_id, problem]).toEqual(['rpi-gpio-acr122u', null]);
    expect(readFileOn(pi, 'etc/ssh/sshd_config.d/rename_user.conf')).toBeNull();

    expect(readdirSync(pi.boot)).not.toContain('lintel');
    expect(readFileOn(pi, 'boot/firmware/user-data')).toBe(trixie['user-data']);
    const onCard = readdirSync(pi.boot).map(name => readFileOn(pi, join('boot/firmware', name)) ?? '');
    expect(onCard.filter(text => text.includes(label.setupCode))).toEqual([]);
  });

  it('has the same result under sh as under bash', { tags: ['slow'] }, async () => {
    const { card } = await prepareTestCard(trixie, '--wifi', 'Hotel');
    const pi = await started(card);
    const other = copyPi(pi);
    await runScript(pi, FIRST_BOOT);
    expect(await runScriptWithSh(other, FIRST_BOOT)).toMatchObject({ status: 0 });
    expect(diskContentsOf(other)).toEqual(diskContentsOf(pi));
    expect(callsOf(other).map(call => call.replaceAll(other.root, ''))).toEqual(
      callsOf(pi).map(call => call.replaceAll(pi.root, '')),
    );
  });

  it('installs offline, and installs the setup code before it starts the controller', async () => {
    const { card } = await prepareTestCard(trixie);
    const pi = await started(card);
    await runScript(pi, FIRST_BOOT);
    const calls = callsOf(pi);
    const at = (start: string): number => calls.findIndex(call => call.startsWith(start));
    expect(calls.filter(call => /\b(?:apt|apt-get|curl|wget)\b/.test(call))).toEqual([]);
    expect(calls.join('\n')).toContain('date --set @1794736800');
    expect(calls.join('\n')).toContain('modprobe --quiet --remove pn533_usb');
    expect(calls).toContain('usermod --lock pi');
    expect(calls).toContain('systemctl disable ssh.service');
    expect(at('systemd-sysusers')).toBeLessThan(at('chown -R lintel:lintel'));
    expect(at('chown -R lintel:lintel')).toBeLessThan(at('dpkg --force-confold --refuse-downgrade'));
    expect(at('dpkg --force-confold --refuse-downgrade')).toBeLessThan(at('dpkg --force-confold --install'));
    expect(calls.find(call => call.startsWith('dpkg --force-confold --install'))).toMatch(
      /lintel-controller_0\.1\.0_arm64\.deb$/,
    );
  });

  it('completes at the next start after a power cut before any write, with truncated files', {
    tags: ['slow'],
    timeout: 600_000,
  }, async () => {
    const { card, label } = await prepareTestCard(
      trixie,
      '--wifi',
      'Hotel',
      '--bridge',
      'https://b.example',
      '--code',
      '7K3M-0QXW-PT5H',
    );
    const fresh = await started(card);
    const whole = copyPi(fresh);
    expect(await runScript(whole, FIRST_BOOT)).toMatchObject({ status: 0 });
    const steps = diskStepsOf(whole);
    const expectedDisk = diskContentsOf(whole);
    expect(steps).toBeGreaterThan(60);
    const count = iterations({ sample: 3, all: steps - 1 });

    const wrong: string[] = [];
    const cut = async (at: number): Promise<void> => {
      const pi = copyPi(fresh);
      const { status } = await runScript(pi, FIRST_BOOT, [], at);
      truncateUnfinishedFiles(pi);
      const places = ['boot/firmware/lintel/secrets/setup-code', 'var/lib/lintel/technician/setup-code'];
      if (!places.some(place => readFileOn(pi, place)?.trim() === label.setupCode))
        wrong.push(`${at}: the setup code is lost`);
      // Every start of the system calls the hook on the card while it exists.
      if (readFileOn(pi, 'boot/firmware/lintel/start.sh') !== null)
        await runScript(pi, 'boot/firmware/lintel/start.sh', ['now']);
      const { status: second, output } = await runScript(pi, FIRST_BOOT);
      if (status !== 'SIGKILL' && at <= steps) wrong.push(`${at}: was not interrupted`);
      if (second !== 0) wrong.push(`${at}: ${output}`);
      const disk = diskContentsOf(pi);
      for (const path of new Set([...Object.keys(expectedDisk), ...Object.keys(disk)]))
        if (expectedDisk[path] !== disk[path])
          wrong.push(`${at}: ${path} is ${disk[path]} instead of ${expectedDisk[path]}`);
    };
    const waiting = Array.from({ length: count }, (_, index) => 1 + Math.round((index * (steps - 2)) / (count - 1)));
    const worker = async (): Promise<void> => {
      for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) await cut(at);
    };
    await Promise.all([worker(), worker()]);
    expect(wrong).toEqual([]);
  });

  it('runs once from firstrun.sh and is not called at later starts', async () => {
    const { card } = await prepareTestCard(bookworm);
    const pi = createPi(card);
    expect(await runScript(pi, 'boot/firmware/firstrun.sh')).toMatchObject({ status: 0 });
    expect(readFileOn(pi, 'boot/firmware/cmdline.txt')).toBe(bookworm['cmdline.txt']);
    expect(readFileOn(pi, 'boot/firmware/firstrun.sh')).toBeNull();
    expect(Object.keys(diskContentsOf(pi))).toContain(
      'etc/systemd/system/multi-user.target.wants/lintel-first-boot.service',
    );
    // The first boot runs after the next restart.
    expect(callsOf(pi)).toEqual(['']);
    expect(await runScript(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
  });

  it('never leaves a call of a missing script when power fails during firstrun.sh', { tags: ['slow'] }, async () => {
    const { card } = await prepareTestCard(bookworm);
    const fresh = createPi(card);
    const whole = copyPi(fresh);
    await runScript(whole, 'boot/firmware/firstrun.sh');
    const steps = diskStepsOf(whole);
    expect(steps).toBe(3);
    for (let at = 1; at <= steps; at += 1) {
      const pi = copyPi(fresh);
      await runScript(pi, 'boot/firmware/firstrun.sh', [], at);
      const isCalled = readFileOn(pi, 'boot/firmware/cmdline.txt')!.includes('systemd.run=');
      const isThere = readFileOn(pi, 'boot/firmware/firstrun.sh') !== null;
      expect({ at, callsNothing: isCalled && !isThere }).toEqual({ at, callsNothing: false });
      if (isCalled) await runScript(pi, 'boot/firmware/firstrun.sh');
      expect(await runScript(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
    }
  });

  it('keeps user, hostname and SSH as set with Raspberry Pi Imager', { tags: ['slow'] }, async () => {
    for (const files of [trixieImagerBootFiles, bookwormFromImager]) {
      const { card } = await prepareTestCard(files);
      const pi = await started(card);
      expect(await runScript(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
      expect(readFileOn(pi, 'etc/hostname')).toBe('raspberrypi\n');
      expect(callsOf(pi).filter(call => /usermod|userconfig|ssh\.service/.test(call))).toEqual([]);
    }
  });

  it('enables SSH for the given key only, and adds it once', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4 me@laptop';
    const file = join(makeTempFolder(), 'id_ed25519.pub');
    writeFileSync(file, `${key}\n`);
    const { card } = await prepareTestCard(trixie, '--ssh-key', file);
    const pi = await started(card);
    writeFiles(pi.root, { 'home/pi/.ssh/authorized_keys': `ssh-rsa AAAA other\n${key}\n` });
    await runScript(pi, FIRST_BOOT);
    expect(readFileOn(pi, 'home/pi/.ssh/authorized_keys')).toBe(`ssh-rsa AAAA other\n${key}\n`);
    expect(statSync(join(pi.root, 'home/pi/.ssh/authorized_keys')).mode & 0o777).toBe(0o600);
    expect(readFileOn(pi, 'etc/ssh/sshd_config.d/10-lintel.conf')).toContain('PasswordAuthentication no');
    expect(callsOf(pi)).toContain('systemctl enable ssh.service');
    expect(callsOf(pi)).toContain('usermod --lock pi');
  });

  it('installs nothing from an incomplete card and explains it on screen and card', async () => {
    const { card, label } = await prepareTestCard(trixie);
    const pi = await started(card);
    truncateSync(join(pi.boot, 'lintel/lintel-controller_0.1.0_arm64.deb'), 10);
    const { status, output } = await runScript(pi, FIRST_BOOT);
    expect(status).toBe(1);
    expect(output).toContain('prepare the card again');
    expect(output).not.toContain(label.setupCode);
    expect(readFileOn(pi, 'boot/firmware/lintel/TROUBLE.txt')).toContain('prepare the card again');
    expect(callsOf(pi).filter(call => call.startsWith('dpkg'))).toEqual([]);
  });

  it.each([
    ['secrets', 'systemd-sysusers', "echo 'Failed to create lintel: No space left on device' >&2; exit 1"],
    ['login', 'usermod', "echo 'usermod: cannot lock /etc/passwd' >&2; exit 6"],
    ['begin', 'chmod', "echo 'chmod: Read-only file system' >&2; exit 1"],
  ])('explains on screen and card why step %s failed, and completes after a retry', async (step, program, does) => {
    const { card, label } = await prepareTestCard(trixie);
    const pi = await started(card);
    writeFileSync(join(pi.root, '../bin', program), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
    const { status, output } = await runScriptWithSh(pi, FIRST_BOOT);
    const why = /echo '(.*?)'/.exec(does)![1]!;
    expect(status).toBe(does.endsWith('6') ? 6 : 1);
    expect(output).toContain(`lintel: the step ${step} failed: ${why}`);
    expect(readFileOn(pi, 'boot/firmware/lintel/TROUBLE.txt')).toBe(`the step ${step} failed: ${why}\n`);
    expect(output).not.toContain(label.setupCode);
    rmSync(join(pi.root, '../bin', program));
    copyFileSync(join(pi.root, '../bin/hostname'), join(pi.root, '../bin', program));
    if (program === 'chmod') rmSync(join(pi.root, '../bin', program));
    expect(await runScriptWithSh(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
    expect(readdirSync(pi.boot)).not.toContain('lintel');
  });

  it('prevents a new preparation of a card that has started, because the label would differ', async () => {
    const { card, label } = await prepareTestCard(trixie);
    const pi = await started(card);
    writeFileSync(join(pi.root, '../bin/dpkg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect(await runScriptWithSh(pi, FIRST_BOOT)).toMatchObject({ status: 1 });
    const before = diskContentsOf(pi);
    for (const more of [[], ['--fresh']]) {
      const again = prepareSdCard(parseSdCardSettings([pi.boot, ...more]), prepareDependencies(''));
      await expect(again).rejects.toThrow(
        `this card has begun to start as ${label.name} and keeps the code of that label`,
      );
      await expect(again).rejects.toThrow('Cause: the controller could not be installed');
    }
    expect(diskContentsOf(pi)).toEqual(before);
  });

  it('starts with the same label after a damaged card was prepared again', { tags: ['slow'] }, async () => {
    const { card, label } = await prepareTestCard(trixie);
    const pi = await started(card);
    const controller = join(pi.boot, 'lintel/lintel-controller_0.1.0_arm64.deb');
    truncateSync(controller, 10);
    expect(await runScript(pi, FIRST_BOOT)).toMatchObject({ status: 1 });
    const whole = fakeDeb(makeTempFolder(), 'lintel-controller_0.1.0_arm64.deb');
    const again = await prepareSdCard(parseSdCardSettings([pi.boot, '--package', whole]), prepareDependencies(whole));
    expect([again.isSameLabel, again.label]).toEqual([true, label]);
    expect(readFileOn(pi, 'boot/firmware/lintel/TROUBLE.txt')).toBeNull();
    expect(await runScript(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
    expect(secretsOn(pi).code).toBe(label.setupCode);
  });

  it('changes nothing on a system that is a controller already', async () => {
    const { card } = await prepareTestCard(trixie);
    const pi = await started(card);
    await runScript(pi, FIRST_BOOT);
    const before = diskContentsOf(pi);
    expect(await runScript(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
    expect(diskContentsOf(pi)).toEqual(before);
  });

  it('completes its installation at the next start after a power cut', { tags: ['slow'] }, async () => {
    const { card } = await prepareTestCard(trixie);
    const hook = 'boot/firmware/lintel/start.sh';
    const fresh = createPi(card);
    const whole = copyPi(fresh);
    await runScript(whole, hook, ['now']);
    const steps = diskStepsOf(whole);
    expect(steps).toBeGreaterThan(3);
    for (let at = 1; at <= steps; at += 1) {
      const pi = copyPi(fresh);
      await runScript(pi, hook, ['now'], at);
      truncateUnfinishedFiles(pi);
      expect(await runScript(pi, hook, ['now'])).toMatchObject({ status: 0 });
      expect(diskContentsOf(pi)).toEqual(diskContentsOf(whole));
      expect(callsOf(pi)).toContain('systemctl --no-block start lintel-first-boot.service');
    }
  });
});
