import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that the build calls, with their Debian packages. */
export const hostToolPackages: Readonly<Record<string, string>> = {
  mmdebstrap: 'mmdebstrap',
  'dpkg-deb': 'dpkg',
  'systemd-sysusers': 'systemd',
  depmod: 'kmod',
  cpio: 'cpio',
  xz: 'xz-utils',
  zstd: 'zstd',
  mksquashfs: 'squashfs-tools',
  'mkfs.vfat': 'dosfstools',
  mcopy: 'mtools',
  mke2fs: 'e2fsprogs',
  sfdisk: 'fdisk',
};

/** With the folders of disk tools, which a PATH may lack. */
export const buildHostToolPath = (): string =>
  [process.env['PATH'] ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter);

const isInstalled = (tool: string): boolean =>
  buildHostToolPath()
    .split(delimiter)
    .some(folder => {
      try {
        accessSync(join(folder, tool), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

export const listMissingToolPackages = (isPresent: (tool: string) => boolean = isInstalled): readonly string[] =>
  Object.entries(hostToolPackages)
    .filter(([tool]) => !isPresent(tool))
    .map(([, name]) => name);

export const requireImageBuildHost = (): void => {
  if (process.platform !== 'linux') throw new Error('Images can be built on Linux only');
  // The files of the image belong to several users.
  if (process.getuid?.() !== 0) throw new Error('Building an image requires root. Run the command with sudo');
  const missing = listMissingToolPackages();
  if (missing.length > 0) throw new Error(`Programs are missing. On Debian: apt-get install ${missing.join(' ')}`);
};
