import type { RootPlan, RootText } from './root-plan.ts';

/** A file of the root that differs from image to image. */
export interface RootFile extends RootText {
  readonly mode?: number;
}

const fstab = (signature: string): string =>
  [
    '# The root itself is mounted by the first program, read-only under a layer in memory.',
    'LABEL=lintel-data /persist ext4 noatime,nodev,nosuid,errors=remount-ro,commit=5,nofail,x-systemd.growfs,x-systemd.device-timeout=5min,x-systemd.before=local-fs.target 0 2',
    `PARTUUID=${signature}-01 /boot/firmware vfat ro,nofail,nodev,nosuid,noexec,umask=0077,x-systemd.device-timeout=5min 0 0`,
    '',
  ].join('\n');

const sshFiles = (key: string): readonly RootFile[] => [
  { path: 'etc/lintel/authorized_keys', text: key, mode: 0o644 },
  {
    path: 'etc/ssh/sshd_config.d/50-lintel.conf',
    text: [
      'HostKey /persist/ssh/ssh_host_ed25519_key',
      'AuthorizedKeysFile /etc/lintel/authorized_keys',
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      '',
    ].join('\n'),
  },
];

export const rootFiles = ({ signature, profile, sshKey, hostname, releaseKeys }: RootPlan): readonly RootFile[] => [
  { path: 'etc/fstab', text: fstab(signature) },
  { path: 'etc/hostname', text: `${hostname}\n` },
  { path: 'etc/hosts', text: `127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.1.1 ${hostname}\n` },
  { path: 'etc/nsswitch.conf', text: 'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n' },
  { path: 'etc/lintel/profile.json', text: profile },
  { path: 'etc/lintel/controller.conf', text: 'LINTEL_OPTIONS=--profile /etc/lintel/profile.json\n' },
  // A clock without a battery starts here and not in 1970.
  { path: 'usr/lib/clock-epoch', text: '' },
  ...releaseKeys,
  ...(sshKey === null ? [] : sshFiles(sshKey)),
];

/** What a card of Raspberry Pi OS gets from `lintel image prepare`, an image has from the start. */
export const firstBootFiles: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'hotspot.sh', to: 'usr/local/lib/lintel/hotspot.sh' },
  { from: 'lintel-hotspot.service', to: 'usr/lib/systemd/system/lintel-hotspot.service' },
];

/** Folders that installation scripts would have made. */
export const rootFolders: readonly string[] = [
  'persist',
  'boot/firmware',
  'var/lib/lintel',
  'var/lib/lintel-releases',
  'var/lib/dpkg',
  'var/lib/NetworkManager',
  'etc/NetworkManager/system-connections',
];

export const rootLinks: readonly (readonly [path: string, target: string])[] = [
  ['var/run', '/run'],
  ['var/lock', '/run/lock'],
  ['etc/mtab', '../proc/self/mounts'],
];

/** Of no use on a controller. Licences stay: they go with what they are for. */
export const leftOutOfRoot: readonly string[] = [
  'boot',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/info',
  'usr/share/lintian',
  'usr/share/bash-completion',
  'usr/share/zsh',
  'usr/share/i18n',
  'usr/share/bug',
  'usr/share/gtk-doc',
  'usr/lib/raspi-firmware',
  'usr/lib/systemd/boot',
  'usr/lib/python3',
  'etc/kernel',
  'etc/initramfs-tools',
  'etc/cron.daily',
];

const RADIO = /^usr\/lib\/firmware\/(brcm\/brcmfmac434(30|36|55|56)|cypress\/cyfmac434(30|39|55))/;

/** Firmware of radios that no Raspberry Pi has, and pages of documentation beside the licences. */
export const isFileLeftOut = (path: string): boolean =>
  (path.startsWith('usr/lib/firmware/') && /\/(brcm|cypress)\//.test(path) && !RADIO.test(path)) ||
  (path.startsWith('usr/share/doc/') && !path.endsWith('/copyright'));
