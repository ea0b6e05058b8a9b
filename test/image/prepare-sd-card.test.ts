import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PendingClaimFile } from '@lintel/device-link/identity/pending-claim';
import { parseSdCardSettings, prepareSdCard } from '@lintel/packaging/testing';
import { startTechnicianServer } from '@lintel/device-runtime/testing';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';
import { prepareDependencies, prepareTestCard, profileFile } from './prepare-test-sd-card.ts';
import {
  bookworm,
  bookwormFromImager,
  cardOf,
  fakeDeb,
  type SdCardFiles,
  makeTempFolder,
  trixie,
  trixieImagerBootFiles,
  writeFiles,
} from './sd-card-fixtures.ts';

const textOf = (card: string, name: string): string => readFileSync(join(card, name), 'utf8');

describe('lintel image prepare', () => {
  it('writes package, first-boot script and secrets to cards of both Debian releases', async () => {
    for (const [files, mechanism] of [
      [trixie, 'cloud-init'],
      [trixieImagerBootFiles, 'cloud-init'],
      [bookworm, 'firstrun'],
      [bookwormFromImager, 'firstrun'],
    ] as const) {
      const made = await prepareTestCard(files);
      const { card } = made;
      expect(made.mechanism).toBe(mechanism);
      expect(readdirSync(join(card, 'lintel')).sort()).toEqual(
        ['SHA256SUMS', 'cmdline.before', 'first-boot.sh', 'hotspot.sh', 'lintel-controller_0.1.0_arm64.deb']
          .concat(['lintel-first-boot.service', 'lintel-hotspot.service', 'packages', 'profile.json', 'secrets'])
          .concat(['settings', 'start.sh'])
          .sort(),
      );
      const call = textOf(card, mechanism === 'cloud-init' ? 'user-data' : 'firstrun.sh');
      expect(call).toContain('lintel/start.sh');
      expect(textOf(card, 'cmdline.txt').includes('systemd.run=')).toBe(mechanism === 'firstrun');
      expect(textOf(card, 'cmdline.txt').trim().split('\n')).toHaveLength(1);
    }
  });

  it('keeps all settings made with Raspberry Pi Imager', async () => {
    const { card: cloud } = await prepareTestCard(trixieImagerBootFiles);
    const lines = textOf(cloud, 'user-data').split('\n');
    expect(trixieImagerBootFiles['user-data']!.split('\n').filter(line => !lines.includes(line))).toEqual([]);
    expect(textOf(cloud, 'network-config')).toBe(trixieImagerBootFiles['network-config']);
    expect(textOf(cloud, 'meta-data')).toBe(trixieImagerBootFiles['meta-data']);

    const { card: script } = await prepareTestCard(bookwormFromImager);
    const own = textOf(script, 'firstrun.sh').split('\n');
    expect(bookwormFromImager['firstrun.sh']!.split('\n').filter(line => !own.includes(line))).toEqual([]);
    // The system cuts the script at the line that removes it.
    expect(own.findIndex(line => line.includes('start.sh'))).toBeLessThan(
      own.findIndex(line => line.startsWith('rm ')),
    );
    expect(textOf(script, 'cmdline.txt')).toBe(bookwormFromImager['cmdline.txt']);
  });

  const everything = (folder: string, at = ''): SdCardFiles =>
    Object.fromEntries(
      readdirSync(join(folder, at), { withFileTypes: true }).flatMap(entry => {
        const path = join(at, entry.name);
        if (entry.isDirectory()) return Object.entries(everything(folder, path));
        return [
          [
            path,
            createHash('sha256')
              .update(readFileSync(join(folder, path)))
              .digest('hex'),
          ],
        ];
      }),
    );

  it('keeps the label at a second preparation, unless --fresh is given', async () => {
    for (const files of [trixie, trixieImagerBootFiles, bookworm, bookwormFromImager]) {
      const card = cardOf(files);
      const controller = fakeDeb(makeTempFolder(), 'lintel-controller_0.1.0_arm64.deb');
      const parts = prepareDependencies(controller);
      const order = parseSdCardSettings([card, '--profile', profileFile('rpi-pn532-matrix'), '--package', controller]);
      const first = await prepareSdCard(order, parts);
      const before = everything(card);
      const second = await prepareSdCard(order, parts);
      expect([first.isSameLabel, second.isSameLabel]).toEqual([false, true]);
      expect(second.label).toEqual(first.label);
      expect(everything(card)).toEqual(before);
      const fresh = await prepareSdCard({ ...order, isFresh: true }, parts);
      expect(fresh.label.setupCode).not.toBe(first.label.setupCode);
      expect(fresh.label.fingerprint).not.toBe(first.label.fingerprint);
    }
  });

  it('removes an older package, SSH key and Wi-Fi that are no longer requested', async () => {
    const card = cardOf(trixie);
    const debs = makeTempFolder();
    const call = (version: string, ...more: string[]) => {
      const controller = fakeDeb(debs, `lintel-controller_${version}_arm64.deb`);
      const order = parseSdCardSettings([card, '--profile', profileFile('usb-only'), '--package', controller, ...more]);
      return prepareSdCard(order, prepareDependencies(controller));
    };
    await call('0.1.0', '--wifi', 'Hotel');
    expect(existsSync(join(card, 'lintel/secrets/lintel-wifi.nmconnection'))).toBe(true);
    await call('0.2.0');
    expect(existsSync(join(card, 'lintel/secrets/lintel-wifi.nmconnection'))).toBe(false);
    expect(readdirSync(join(card, 'lintel')).filter(name => name.endsWith('.deb'))).toEqual([
      'lintel-controller_0.2.0_arm64.deb',
    ]);
  });

  it('configures the board for the parts of the profile', async () => {
    const { card } = await prepareTestCard(
      trixie,
      '--profile',
      profileFile('rpi-pn532-matrix'),
      '--wifi-country',
      'es',
    );
    expect(textOf(card, 'config.txt')).toContain('enable_uart=1');
    expect(textOf(card, 'config.txt')).toContain('dtoverlay=disable-bt');
    expect(textOf(card, 'config.txt')).toContain('dtparam=watchdog=on');
    expect(textOf(card, 'config.txt').startsWith(trixie['config.txt']!)).toBe(true);
    expect(textOf(card, 'cmdline.txt')).not.toContain('console=serial0');
    expect(textOf(card, 'cmdline.txt')).toContain('console=tty1');
    expect(textOf(card, 'cmdline.txt')).toContain('cfg80211.ieee80211_regdom=ES');

    const { card: usb } = await prepareTestCard(trixie, '--profile', profileFile('usb-only'));
    expect(textOf(usb, 'config.txt')).not.toContain('enable_uart');
    expect(textOf(usb, 'config.txt')).not.toContain('i2c_arm');
    const usbOnly = JSON.parse(readFileSync(profileFile('usb-only'), 'utf8')) as { capabilities: object };
    const upsProfile = join(makeTempFolder(), 'ups.json');
    const capabilities = { ...usbOnly.capabilities, battery: true, battery_rechargeable: true };
    const power = { gauge: { driver: 'max17040' } };
    writeFileSync(upsProfile, JSON.stringify({ ...usbOnly, product_id: 'ups', capabilities, power }));
    const { card: ups } = await prepareTestCard(trixie, '--profile', upsProfile);
    expect(textOf(ups, 'config.txt')).toContain('dtparam=i2c_arm=on');
    expect(textOf(ups, 'config.txt')).not.toContain('spi=on');
    const { card: hat } = await prepareTestCard(trixie, '--profile', profileFile('rpi-relay-hat'));
    expect(textOf(hat, 'config.txt')).toContain('dtparam=i2c_arm=on');
    expect(textOf(hat, 'config.txt')).toContain('dtparam=spi=on');
    expect(textOf(usb, 'cmdline.txt')).toBe(trixie['cmdline.txt']);
  });

  it('includes the reader packages when no profile is given', async () => {
    const card = cardOf(trixie);
    const controller = fakeDeb(makeTempFolder(), 'lintel-controller_0.1.0_arm64.deb');
    const pcscd = fakeDeb(makeTempFolder(), 'pcscd_2.3.3-1_arm64.deb');
    const requestedSuites: string[] = [];
    const claim = ['--bridge', 'https://doors.example.com', '--code', '7K3M-0QXW-PT5H'];
    const made = await prepareSdCard(parseSdCardSettings([card, '--package', controller, ...claim]), {
      ...prepareDependencies(controller),
      readerPackages: async suite => {
        requestedSuites.push(suite);
        return { files: [pcscd], problem: null };
      },
    });
    expect([requestedSuites, made.productId, made.warnings]).toEqual([['trixie'], null, []]);
    expect(existsSync(join(card, 'lintel/profile.json'))).toBe(false);
    expect(readdirSync(join(card, 'lintel/packages'))).toEqual(['pcscd_2.3.3-1_arm64.deb']);
    const data = makeTempFolder();
    writeFiles(data, { 'identity/pending-claim.json': textOf(card, 'lintel/secrets/pending-claim.json') });
    expect(new PendingClaimFile(data).read()).toMatchObject({ product_id: null, proof: { code: '7K3M-0QXW-PT5H' } });
  });

  it('prepares the card with a warning when packages cannot be downloaded', async () => {
    const controller = fakeDeb(makeTempFolder(), 'lintel-controller_0.1.0_arm64.deb');
    const order = parseSdCardSettings([
      cardOf(bookworm),
      '--profile',
      profileFile('rpi-gpio-acr122u'),
      '--package',
      controller,
    ]);
    const { warnings } = await prepareSdCard(order, {
      ...prepareDependencies(controller),
      readerPackages: async suite => ({ files: [], problem: `no line to fetch ${suite}` }),
    });
    expect(warnings).toEqual([
      'no line to fetch bookworm',
      expect.stringMatching(/^the card reader needs libpcsclite1, pcscd, libccid, which are not on the card/),
    ]);
  });

  it('warns about packages for another Debian release', { tags: ['slow'] }, async () => {
    const warned = async (files: SdCardFiles, suite: string): Promise<boolean> => {
      const debs = makeTempFolder();
      const controller = fakeDeb(debs, 'lintel-controller_0.1.0_arm64.deb');
      for (const name of ['pcscd', 'libccid', 'libpcsclite1']) fakeDeb(debs, `${name}_1_arm64.deb`);
      writeFiles(debs, { suite: `${suite}\n` });
      const order = parseSdCardSettings([cardOf(files), '--package', controller, '--packages', debs]);
      const { warnings } = await prepareSdCard(order, prepareDependencies(controller));
      return warnings.some(warning => warning.includes(`are for ${suite} and the card seems to have`));
    };
    const withOldIssue = { ...trixie, 'issue.txt': 'Raspberry Pi reference 2025-05-13\n' };
    const withNewIssue = { ...trixie, 'issue.txt': 'Raspberry Pi reference 2025-12-04\n' };
    expect([await warned(bookworm, 'trixie'), await warned(bookworm, 'bookworm')]).toEqual([true, false]);
    expect([await warned(trixie, 'trixie'), await warned(withNewIssue, 'trixie')]).toEqual([false, false]);
    expect([await warned(withNewIssue, 'bookworm'), await warned(withOldIssue, 'trixie')]).toEqual([true, true]);
  });

  it('does not store Wi-Fi passwords in the clear', async () => {
    const { card } = await prepareTestCard(trixie, '--wifi', 'Hôtel; 1');
    const connection = textOf(card, 'lintel/secrets/lintel-wifi.nmconnection');
    expect(connection).not.toContain('correct horse');
    expect(connection).toMatch(/^ssid=72;195;180;116;101;108;59;32;49;$/m);
    expect(connection).toMatch(/^psk=[0-9a-f]{64}$/m);
  });

  it('queues a claim that the controller accepts', async () => {
    const { card } = await prepareTestCard(trixie, '--bridge', 'https://doors.example.com', '--code', '7K3M-0QXW-PT5H');
    const data = makeTempFolder();
    writeFiles(data, { 'identity/pending-claim.json': textOf(card, 'lintel/secrets/pending-claim.json') });
    expect(new PendingClaimFile(data).read()).toMatchObject({
      proof: { code: '7K3M-0QXW-PT5H', bridgeUrl: 'https://doors.example.com', caFingerprint: null },
      product_id: 'rpi-gpio-acr122u',
    });
  });

  it('creates name, fingerprint and setup code that the controller then uses', async () => {
    const { card, label } = await prepareTestCard(trixie);
    const data = makeTempFolder();
    for (const name of ['setup-code', 'key.pem', 'certificate.pem'])
      writeFiles(data, { [`technician/${name}`]: textOf(card, `lintel/secrets/${name}`) });
    chmodSync(join(data, 'technician/setup-code'), 0o600);
    const consoleLines: string[] = [];
    const device = createSimulatedController({ dataDir: data, log: () => undefined });
    const page = await startTechnicianServer({
      dataDir: data,
      device,
      productId: 'virtual',
      log: () => undefined,
      host: '127.0.0.1',
      port: 0,
      console: line => consoleLines.push(line),
    });
    onTestFinished(async () => {
      await page.stop();
      await device.stop();
    });
    expect({ name: page.name, fingerprint: page.fingerprint }).toEqual({
      name: label.name,
      fingerprint: label.fingerprint,
    });
    expect(consoleLines.join('\n')).toContain(label.setupCode);
  });

  const lintel = (...args: string[]) => runLintel('image', 'prepare', ...args);

  const wrongOrders: ReadonlyArray<readonly [files: SdCardFiles, args: string[], message: RegExp]> = [
    [{ 'config.txt': '' }, [], /has no cmdline\.txt: it must be the boot partition/],
    [{ 'cmdline.txt': 'root=x' }, [], /has no config\.txt/],
    [{ ...trixie, 'cmdline.txt': 'console=tty1\n' }, [], /No root= argument in .*cmdline\.txt/],
    [{ ...bookworm, 'kernel7.img': '' }, [], /32-bit system: write Raspberry Pi OS Lite \(64-bit\)/],
    [{ ...trixie, 'lintel-ready.txt': 'lintel-1234 is ready: …\n' }, [], /has been started as lintel-1234/],
    [{ ...trixie, 'lintel/notes.txt': 'mine' }, [], /lintel exists and was not created by this command/],
    [{ ...trixie, 'user-data': '#!/bin/sh\necho\n' }, [], /user-data starts with "#!\/bin\/sh"/],
    [{ ...trixie, 'user-data': '#cloud-config\nbootcmd: [ls]\n' }, [], /user-data:2: bootcmd is written on one line/],
    [
      { ...trixie, 'cmdline.txt': 'root=x ds=nocloud;s=http://10.0.0.2/\n' },
      [],
      /gets its first-boot settings from the network/,
    ],
    [
      { ...bookworm, 'cmdline.txt': 'root=x systemd.run=/boot/mine.sh\n' },
      [],
      /calls something else at the first start/,
    ],
    [trixie, ['--code', '7K3M'], /--bridge and --code must be used together/],
    [trixie, ['--bridge', 'https://b.example', '--code', '7K3M'], /--code must have twelve letters and digits/],
    [trixie, ['--bridge', 'doors', '--code', '7K3M-0QXW-PT5H'], /--bridge: /],
    [trixie, ['--bridge', 'http://doors.example.com', '--code', '7K3M-0QXW-PT5H'], /is not https/],
    [trixie, ['--wifi', ''], /--wifi must be 1 to 32 bytes long/],
    [trixie, ['--wifi-country', 'Spain'], /--wifi-country must be the two letters/],
    [trixie, ['--wifi-country', 'XX'], /--wifi-country must be the two letters of a country/],
    [trixie, ['--hostname', 'a b'], /--hostname must be/],
    [trixie, ['--label', 'label.svg'], /--label label\.svg must end in \.pdf/],
    [trixie, ['--ssh-key', 'package.json'], /--ssh-key package\.json: line 1 is not a public key/],
    [trixie, ['--package', 'package.json'], /package\.json is not a Debian package/],
    [trixie, ['--packages', 'docs'], /--packages docs has no \.deb file/],
    [trixie, ['--whatever'], /Unknown option/],
  ];

  const refusal = async (...args: string[]): Promise<string> => {
    const controller = fakeDeb(makeTempFolder(), 'lintel-controller_0.1.0_arm64.deb');
    try {
      await prepareSdCard(parseSdCardSettings(args), prepareDependencies(controller));
      return 'prepared';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('explains every invalid card or option and leaves the card unchanged', async () => {
    for (const [files, args, message] of wrongOrders) {
      const card = cardOf(files);
      const before = everything(card);
      expect(await refusal(card, '--profile', profileFile('usb-only'), ...args)).toMatch(message);
      expect(everything(card)).toEqual(before);
    }
  });

  it('rejects a truncated or mislabeled package before it writes anything', async () => {
    const card = cardOf(trixie);
    const before = everything(card);
    const folder = makeTempFolder();
    const refused = (file: string, option = '--package') =>
      refusal(card, '--profile', profileFile('usb-only'), option, option === '--package' ? file : folder);
    const name = 'lintel-controller_0.1.0_arm64.deb';
    truncateSync(fakeDeb(folder, name), 300);
    expect(await refused(join(folder, name))).toMatch(/arm64\.deb was cut off: copy or build it again/);
    const other = fakeDeb(folder, name, 'lintel-controller_0.1.0_amd64.deb');
    expect(await refused(other)).toMatch(/is lintel-controller for amd64, and not what it is called/);
    expect(await refused(fakeDeb(folder, 'lintel-controller_1_amd64.deb'))).toMatch(
      /is for amd64, but a Raspberry Pi requires arm64/,
    );
    expect(await refused(fakeDeb(folder, name, 'lintel-gateway_0.1.0_arm64.deb'))).toMatch(
      /is lintel-gateway for arm64/,
    );
    truncateSync(fakeDeb(folder, 'pcscd_2_arm64.deb'), 100);
    expect(await refused(folder, '--packages')).toMatch(/pcscd_2_arm64\.deb was cut off/);
    expect(everything(card)).toEqual(before);
  });

  it('reverts the changes of an earlier preparation to the kernel command line', async () => {
    for (const files of [trixie, trixieImagerBootFiles, bookworm, bookwormFromImager]) {
      const twice = cardOf(files);
      const once = cardOf(files);
      const controller = fakeDeb(makeTempFolder(), 'lintel-controller_0.1.0_arm64.deb');
      const call = (card: string, profile: string, ...more: string[]) =>
        prepareSdCard(
          parseSdCardSettings([card, '--profile', profileFile(profile), '--package', controller, ...more]),
          prepareDependencies(controller),
        );
      await call(twice, 'rpi-pn532-matrix', '--wifi-country', 'FR');
      expect(textOf(twice, 'cmdline.txt')).toContain('regdom=FR');
      expect(textOf(twice, 'cmdline.txt')).not.toContain('console=serial0');
      await call(twice, 'usb-only');
      await call(once, 'usb-only');
      expect(textOf(twice, 'cmdline.txt')).toBe(textOf(once, 'cmdline.txt'));
      expect(textOf(twice, 'config.txt')).toBe(textOf(once, 'config.txt'));
    }
  });

  it('keeps kernel arguments that were added between two preparations', async () => {
    const { card } = await prepareTestCard(trixie);
    writeFileSync(join(card, 'cmdline.txt'), `${textOf(card, 'cmdline.txt').trim()} usbcore.autosuspend=-1\n`);
    const controller = fakeDeb(makeTempFolder(), 'lintel-controller_0.1.0_arm64.deb');
    await prepareSdCard(
      parseSdCardSettings([card, '--profile', profileFile('usb-only'), '--package', controller]),
      prepareDependencies(controller),
    );
    expect(textOf(card, 'cmdline.txt')).toContain(' usbcore.autosuspend=-1');
  });

  it('reports the position of an error in the profile and rejects a gateway profile', async () => {
    const card = cardOf(trixie);
    const file = join(makeTempFolder(), 'mine.json');
    const good = JSON.parse(readFileSync(profileFile('usb-only'), 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...good, buses: { keypad: { driver: 'telepathy' } } }));
    expect(await refusal(card, '--profile', file)).toMatch(/mine\.json: buses\.keypad/);
    expect(await refusal(card, '--profile', profileFile('gateway'))).toMatch(/gateway is not a door controller/);
    expect(await refusal(card, '--profile', 'nowhere.json')).toMatch(/nowhere\.json/);
    expect(await refusal()).toMatch(/BOOTFOLDER is required/);
    expect(await refusal('/nowhere', '--profile', profileFile('usb-only'))).toMatch(/Is the card plugged in/);
    expect(existsSync(join(card, 'lintel'))).toBe(false);
  });

  it('exits with 2 for invalid usage and 1 for an unusable card, without a stack trace', async () => {
    const misused = await lintel();
    expect([misused.code, misused.stdout]).toEqual([2, '']);
    expect(misused.stderr).toMatch(/^BOOTFOLDER is required: where the card is mounted\n.*--help/);
    const refused = await lintel(cardOf(trixie), '--profile', profileFile('usb-only'), '--wifi', 'Hotel');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toBe('the password of the Wi-Fi is taken from LINTEL_WIFI_PASSWORD, which is not set\n');
  });

  it('writes the label readable by its owner only and prints its contents', async () => {
    const card = cardOf(trixie);
    const folder = makeTempFolder();
    const controller = fakeDeb(folder, 'lintel-controller_0.1.0_arm64.deb');
    const debs = makeTempFolder();
    for (const name of ['pcscd', 'libccid', 'libpcsclite1']) fakeDeb(debs, `${name}_1_arm64.deb`);
    const order = [card, '--profile', profileFile('rpi-gpio-acr122u'), '--package', controller, '--packages', debs];
    const label = join(folder, 'label.pdf');
    writeFileSync(label, 'older', { mode: 0o644 });
    const { code, stdout } = await lintel(...order, '--label', label, '--json');
    expect(code).toBe(0);
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    expect(answer).toMatchObject({ mechanism: 'cloud-init', product_id: 'rpi-gpio-acr122u', label, warnings: [] });
    expect(answer['address']).toBe(`https://${String(answer['name'])}.local:8443/`);
    expect(answer['hardware_id']).toMatch(/^hw_/);
    expect(answer['hardware_id']).toBe(textOf(card, 'lintel/secrets/hardware-id').trim());
    expect(answer['setup_code']).toBe(textOf(card, 'lintel/secrets/setup-code').trim());
    expect(statSync(label).mode & 0o777).toBe(0o600);
    expect(statSync(label).size).toBeGreaterThan(1000);
    rmSync(label);
    mkdirSync(label);
    const failed = await lintel(...order, '--label', label);
    expect(failed.stderr).toMatch(/The card is prepared, its label could not be written/);
  });
});
