import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface RootFile {
  readonly path: string;
  readonly text: string;
}

interface RootSettings {
  /** Identifier of the disk, eight hex digits. */
  readonly signature: string;
  readonly hostname: string;
  /** The text of the profile. */
  readonly profile: string;
  readonly releaseKeys: readonly RootFile[];
  /** The text of `authorized_keys`. */
  readonly sshKeys: string | null;
}

const fstab = (signature: string): string =>
  [
    '# The initramfs mounts the root itself, read-only under a layer in memory.',
    'LABEL=lintel-data /persist ext4 noatime,nodev,nosuid,errors=remount-ro,commit=5,nofail,x-systemd.growfs,x-systemd.device-timeout=5min,x-systemd.before=local-fs.target 0 2',
    `PARTUUID=${signature}-01 /boot/firmware vfat ro,nofail,nodev,nosuid,noexec,umask=0077,x-systemd.device-timeout=5min 0 0`,
    '',
  ].join('\n');

/** Writes the files of the root that differ from image to image. */
export const writeImageRootFiles = (folder: string, settings: RootSettings): void => {
  const { signature, hostname, profile, releaseKeys, sshKeys } = settings;
  const files: RootFile[] = [
    { path: 'etc/fstab', text: fstab(signature) },
    { path: 'etc/hostname', text: `${hostname}\n` },
    { path: 'etc/hosts', text: `127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.1.1 ${hostname}\n` },
    { path: 'etc/lintel/profile.json', text: profile },
    ...releaseKeys,
    ...(sshKeys === null ? [] : [{ path: 'etc/lintel/authorized_keys', text: sshKeys }]),
  ];
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};
