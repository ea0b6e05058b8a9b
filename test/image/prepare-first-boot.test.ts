import { copyFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeptProfile } from '@lintel/device-runtime/kept-profile';
import { orderOf } from '@lintel/device-runtime/image/prepare/order';
import { prepareCard } from '@lintel/device-runtime/image/prepare/prepare';
import { expect, test } from 'vitest';
import {
  bookworm,
  bookwormFromImager,
  fakeDeb,
  scratch,
  trixie,
  trixieFromImager,
  writeFiles,
} from './prepare-cards.ts';
import { PREPARED_AT, partsFor, prepared } from './prepare-call.ts';
import {
  callsOf,
  copyOf,
  diskOf,
  type Pi,
  piWith,
  runOn,
  runPlainlyOn,
  stepsOf,
  tearUnfinished,
  textOn,
} from './prepare-sandbox.ts';

const FIRST_BOOT = 'usr/local/lib/lintel/first-boot.sh';

const started = async (card: string): Promise<Pi> => {
  const pi = piWith(card);
  expect(await runOn(pi, 'boot/firmware/lintel/start.sh', ['now'])).toMatchObject({ status: 0 });
  return pi;
};

const secretsOn = (pi: Pi) => ({
  code: textOn(pi, 'var/lib/lintel/technician/setup-code')?.trim(),
  key: textOn(pi, 'var/lib/lintel/technician/key.pem')?.startsWith('-----BEGIN PRIVATE KEY-----'),
  modes: ['setup-code', 'key.pem', 'certificate.pem'].map(
    name => statSync(join(pi.root, 'var/lib/lintel/technician', name)).mode & 0o777,
  ),
});

test('a first boot makes a controller of a stock system, and leaves nothing secret on the card', async () => {
  const { card, label } = await prepared(trixie, '--bridge', 'https://doors.example.com', '--code', '7K3M-0QXW-PT5H');
  const pi = await started(card);
  expect(await runOn(pi, FIRST_BOOT)).toMatchObject({ status: 0 });

  expect(secretsOn(pi)).toEqual({ code: label.setupCode, key: true, modes: [0o600, 0o600, 0o600] });
  expect(JSON.parse(textOn(pi, 'var/lib/lintel/state/time_floor.json')!)).toBe(PREPARED_AT);
  expect(JSON.parse(textOn(pi, 'var/lib/lintel/identity/pending-claim.json')!)).toMatchObject({
    proof: { code: '7K3M-0QXW-PT5H', bridgeUrl: 'https://doors.example.com' },
    product_id: 'rpi-gpio-acr122u',
  });
  expect(textOn(pi, 'etc/hostname')).toBe(`${label.name}\n`);
  expect(textOn(pi, 'etc/hosts')).toBe(`127.0.0.1\tlocalhost\n127.0.1.1\t${label.name}\n`);
  const { profile, problem } = new KeptProfile(join(pi.root, 'var/lib/lintel')).read();
  expect([profile.product_id, problem]).toEqual(['rpi-gpio-acr122u', null]);
  expect(textOn(pi, 'etc/ssh/sshd_config.d/rename_user.conf')).toBeNull();

  expect(readdirSync(pi.boot)).not.toContain('lintel');
  expect(textOn(pi, 'boot/firmware/user-data')).toBe(trixie['user-data']);
  const onCard = readdirSync(pi.boot).map(name => textOn(pi, join('boot/firmware', name)) ?? '');
  expect(onCard.filter(text => text.includes(label.setupCode))).toEqual([]);
});

test('the plain shell of a Pi comes to the same end', async () => {
  const { card } = await prepared(trixie, '--wifi', 'Hotel');
  const pi = await started(card);
  const other = copyOf(pi);
  await runOn(pi, FIRST_BOOT);
  expect(await runPlainlyOn(other, FIRST_BOOT)).toMatchObject({ status: 0 });
  expect(diskOf(other)).toEqual(diskOf(pi));
  expect(callsOf(other).map(call => call.replaceAll(other.root, ''))).toEqual(
    callsOf(pi).map(call => call.replaceAll(pi.root, '')),
  );
});

test('a first boot asks the system for what it needs, offline, in an order that never serves another setup code', async () => {
  const { card } = await prepared(trixie);
  const pi = await started(card);
  await runOn(pi, FIRST_BOOT);
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

test('a power cut before each change of the disk, with torn files, ends in the same system after the next start', async () => {
  const { card, label } = await prepared(
    trixie,
    '--wifi',
    'Hotel',
    '--bridge',
    'https://b.example',
    '--code',
    '7K3M-0QXW-PT5H',
  );
  const fresh = await started(card);
  const whole = copyOf(fresh);
  expect(await runOn(whole, FIRST_BOOT)).toMatchObject({ status: 0 });
  const steps = stepsOf(whole);
  const wanted = diskOf(whole);
  expect(steps).toBeGreaterThan(60);

  const wrong: string[] = [];
  const cut = async (at: number): Promise<void> => {
    const pi = copyOf(fresh);
    const { status } = await runOn(pi, FIRST_BOOT, [], at);
    tearUnfinished(pi);
    const places = ['boot/firmware/lintel/secrets/setup-code', 'var/lib/lintel/technician/setup-code'];
    if (!places.some(place => textOn(pi, place)?.trim() === label.setupCode)) wrong.push(`${at}: the code is lost`);
    // A start of the system calls the card's hook again, as long as it is there.
    if (textOn(pi, 'boot/firmware/lintel/start.sh') !== null) await runOn(pi, 'boot/firmware/lintel/start.sh', ['now']);
    const { status: second, output } = await runOn(pi, FIRST_BOOT);
    if (status !== 'SIGKILL' && at <= steps) wrong.push(`${at}: was not cut`);
    if (second !== 0) wrong.push(`${at}: ${output}`);
    const disk = diskOf(pi);
    for (const path of new Set([...Object.keys(wanted), ...Object.keys(disk)]))
      if (wanted[path] !== disk[path]) wrong.push(`${at}: ${path} is ${disk[path]} instead of ${wanted[path]}`);
  };
  const waiting = Array.from({ length: steps - 1 }, (_, at) => at + 1);
  const worker = async (): Promise<void> => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) await cut(at);
  };
  await Promise.all([worker(), worker()]);
  expect(wrong).toEqual([]);
}, 300_000);

test('a card of firstrun calls the first boot once, and calls nothing at the start after it', async () => {
  const { card } = await prepared(bookworm);
  const pi = piWith(card);
  expect(await runOn(pi, 'boot/firmware/firstrun.sh')).toMatchObject({ status: 0 });
  expect(textOn(pi, 'boot/firmware/cmdline.txt')).toBe(bookworm['cmdline.txt']);
  expect(textOn(pi, 'boot/firmware/firstrun.sh')).toBeNull();
  expect(Object.keys(diskOf(pi))).toContain('etc/systemd/system/multi-user.target.wants/lintel-first-boot.service');
  // It runs with the restart that follows.
  expect(callsOf(pi)).toEqual(['']);
  expect(await runOn(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
});

test('a power cut while firstrun sets up the first boot never leaves a call of nothing', async () => {
  const { card } = await prepared(bookworm);
  const fresh = piWith(card);
  const whole = copyOf(fresh);
  await runOn(whole, 'boot/firmware/firstrun.sh');
  const steps = stepsOf(whole);
  expect(steps).toBe(3);
  for (let at = 1; at <= steps; at += 1) {
    const pi = copyOf(fresh);
    await runOn(pi, 'boot/firmware/firstrun.sh', [], at);
    const isCalled = textOn(pi, 'boot/firmware/cmdline.txt')!.includes('systemd.run=');
    const isThere = textOn(pi, 'boot/firmware/firstrun.sh') !== null;
    expect({ at, callsNothing: isCalled && !isThere }).toEqual({ at, callsNothing: false });
    if (isCalled) await runOn(pi, 'boot/firmware/firstrun.sh');
    expect(await runOn(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
  }
});

test('who has set up a user, a name and SSH with Raspberry Pi Imager keeps them', async () => {
  for (const files of [trixieFromImager, bookwormFromImager]) {
    const { card } = await prepared(files);
    const pi = await started(card);
    expect(await runOn(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
    expect(textOn(pi, 'etc/hostname')).toBe('raspberrypi\n');
    expect(callsOf(pi).filter(call => /usermod|userconfig|ssh\.service/.test(call))).toEqual([]);
  }
});

test('a key that was given opens SSH for it alone, and once', async () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4Y0J4 me@laptop';
  const file = join(scratch(), 'id_ed25519.pub');
  writeFileSync(file, `${key}\n`);
  const { card } = await prepared(trixie, '--ssh-key', file);
  const pi = await started(card);
  writeFiles(pi.root, { 'home/pi/.ssh/authorized_keys': `ssh-rsa AAAA other\n${key}\n` });
  await runOn(pi, FIRST_BOOT);
  expect(textOn(pi, 'home/pi/.ssh/authorized_keys')).toBe(`ssh-rsa AAAA other\n${key}\n`);
  expect(statSync(join(pi.root, 'home/pi/.ssh/authorized_keys')).mode & 0o777).toBe(0o600);
  expect(textOn(pi, 'etc/ssh/sshd_config.d/10-lintel.conf')).toContain('PasswordAuthentication no');
  expect(callsOf(pi)).toContain('systemctl enable ssh.service');
  expect(callsOf(pi)).toContain('usermod --lock pi');
});

test('a card that was taken out too early says so, on the card too, and nothing is installed', async () => {
  const { card, label } = await prepared(trixie);
  const pi = await started(card);
  truncateSync(join(pi.boot, 'lintel/lintel-controller_0.1.0_arm64.deb'), 10);
  const { status, output } = await runOn(pi, FIRST_BOOT);
  expect(status).toBe(1);
  expect(output).toContain('prepare the card again');
  expect(output).not.toContain(label.setupCode);
  expect(textOn(pi, 'boot/firmware/lintel/TROUBLE.txt')).toContain('prepare the card again');
  expect(callsOf(pi).filter(call => call.startsWith('dpkg'))).toEqual([]);
});

test.each([
  ['secrets', 'systemd-sysusers', "echo 'Failed to create lintel: No space left on device' >&2; exit 1"],
  ['login', 'usermod', "echo 'usermod: cannot lock /etc/passwd' >&2; exit 6"],
  ['begin', 'chmod', "echo 'chmod: Read-only file system' >&2; exit 1"],
])('whichever step fails, the card and the screen say which and why: %s', async (step, program, does) => {
  const { card, label } = await prepared(trixie);
  const pi = await started(card);
  writeFileSync(join(pi.root, '../bin', program), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  const { status, output } = await runPlainlyOn(pi, FIRST_BOOT);
  const why = /echo '(.*?)'/.exec(does)![1]!;
  expect(status).toBe(does.endsWith('6') ? 6 : 1);
  expect(output).toContain(`lintel: the step ${step} failed: ${why}`);
  expect(textOn(pi, 'boot/firmware/lintel/TROUBLE.txt')).toBe(`the step ${step} failed: ${why}\n`);
  expect(output).not.toContain(label.setupCode);
  rmSync(join(pi.root, '../bin', program));
  copyFileSync(join(pi.root, '../bin/hostname'), join(pi.root, '../bin', program));
  if (program === 'chmod') rmSync(join(pi.root, '../bin', program));
  expect(await runPlainlyOn(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
  expect(readdirSync(pi.boot)).not.toContain('lintel');
});

test('a card that has begun to start is not prepared again: its controller would not have the new label', async () => {
  const { card, label } = await prepared(trixie);
  const pi = await started(card);
  writeFileSync(join(pi.root, '../bin/dpkg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect(await runPlainlyOn(pi, FIRST_BOOT)).toMatchObject({ status: 1 });
  const before = diskOf(pi);
  for (const more of [[], ['--fresh']]) {
    const again = prepareCard(orderOf([pi.boot, ...more]), partsFor(''));
    await expect(again).rejects.toThrow(
      `this card has begun to start as ${label.name} and keeps the code of that label`,
    );
    await expect(again).rejects.toThrow('What stopped it: the controller could not be installed');
  }
  expect(diskOf(pi)).toEqual(before);
});

test('a card whose files were damaged before it began is prepared again, and starts with the same label', async () => {
  const { card, label } = await prepared(trixie);
  const pi = await started(card);
  const controller = join(pi.boot, 'lintel/lintel-controller_0.1.0_arm64.deb');
  truncateSync(controller, 10);
  expect(await runOn(pi, FIRST_BOOT)).toMatchObject({ status: 1 });
  const whole = fakeDeb(scratch(), 'lintel-controller_0.1.0_arm64.deb');
  const again = await prepareCard(orderOf([pi.boot, '--package', whole]), partsFor(whole));
  expect([again.isSameLabel, again.label]).toEqual([true, label]);
  expect(textOn(pi, 'boot/firmware/lintel/TROUBLE.txt')).toBeNull();
  expect(await runOn(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
  expect(secretsOn(pi).code).toBe(label.setupCode);
});

test('a system that is a controller already is left alone by the card', async () => {
  const { card } = await prepared(trixie);
  const pi = await started(card);
  await runOn(pi, FIRST_BOOT);
  const before = diskOf(pi);
  expect(await runOn(pi, FIRST_BOOT)).toMatchObject({ status: 0 });
  expect(diskOf(pi)).toEqual(before);
});

test('a power cut while the card hands over to the system is made good by the next start', async () => {
  const { card } = await prepared(trixie);
  const hook = 'boot/firmware/lintel/start.sh';
  const fresh = piWith(card);
  const whole = copyOf(fresh);
  await runOn(whole, hook, ['now']);
  const steps = stepsOf(whole);
  expect(steps).toBeGreaterThan(3);
  for (let at = 1; at <= steps; at += 1) {
    const pi = copyOf(fresh);
    await runOn(pi, hook, ['now'], at);
    tearUnfinished(pi);
    expect(await runOn(pi, hook, ['now'])).toMatchObject({ status: 0 });
    expect(diskOf(pi)).toEqual(diskOf(whole));
    expect(callsOf(pi)).toContain('systemctl --no-block start lintel-first-boot.service');
  }
});
