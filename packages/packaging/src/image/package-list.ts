import type { Architecture } from './build-settings.ts';

/** Without recommendations: what is not here or needed by what is here, is not in the image. */
const EVERYWHERE: readonly string[] = [
  'base-files',
  'base-passwd',
  'bash',
  'busybox-static',
  'coreutils',
  'dash',
  'dbus',
  'debianutils',
  'dnsmasq-base',
  'e2fsprogs',
  'findutils',
  'grep',
  'hostname',
  'iproute2',
  'iw',
  'kmod',
  'libc-bin',
  'libccid',
  'libpcsclite1',
  'login',
  'mawk',
  'mount',
  'netbase',
  'network-manager',
  'passwd',
  'pcscd',
  'polkitd',
  'procps',
  'rfkill',
  'sed',
  'systemd',
  'systemd-boot-efi',
  'systemd-sysv',
  'systemd-timesyncd',
  'udev',
  'util-linux',
  'wireless-regdb',
  'wpasupplicant',
];

const OF_ARCHITECTURE: Readonly<Record<Architecture, readonly string[]>> = {
  arm64: ['linux-image-arm64', 'raspi-firmware', 'firmware-brcm80211'],
  amd64: ['linux-image-amd64'],
};

/** What the controller's own package depends on: the first of each choice, without versions. */
export const dependenciesIn = (depends: string): readonly string[] =>
  depends
    .split(',')
    .map(choice =>
      choice
        .split('|')[0]!
        .replace(/\(.*\)/, '')
        .trim(),
    )
    .filter(name => name !== '' && name !== 'init-system-helpers' && name !== 'adduser');

export const packageList = (
  architecture: Architecture,
  options: { readonly hasSsh: boolean; readonly depends: string },
): readonly string[] =>
  [
    ...new Set([
      ...EVERYWHERE,
      ...OF_ARCHITECTURE[architecture],
      ...(options.hasSsh ? ['openssh-server'] : []),
      ...dependenciesIn(options.depends),
    ]),
  ].toSorted();
