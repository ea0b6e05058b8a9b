import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What the build calls, and the Debian package that has it. */
const TOOLS: Readonly<Record<string, string>> = {
  mmdebstrap: 'mmdebstrap',
  'dpkg-deb': 'dpkg',
  depmod: 'kmod',
  xz: 'xz-utils',
  mksquashfs: 'squashfs-tools',
  'mkfs.vfat': 'dosfstools',
  mcopy: 'mtools',
  mke2fs: 'e2fsprogs',
};

/** Where tools for disks are, for people who are not root. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

export const toolPath = (): string => [process.env['PATH'] ?? '', ...SYSTEM_FOLDERS].join(delimiter);

const isThere = (tool: string): boolean =>
  toolPath()
    .split(delimiter)
    .some(folder => {
      try {
        accessSync(join(folder, tool), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

/** Packages that are missing on this machine. */
export const missingPackages = (has: (tool: string) => boolean = isThere): readonly string[] =>
  Object.entries(TOOLS)
    .filter(([tool]) => !has(tool))
    .map(([, name]) => name);

/** Throws in words. */
export const requireTools = (): void => {
  if (process.platform !== 'linux') throw new Error('images are built on Linux only');
  // The files of the image belong to several users.
  if (process.getuid?.() !== 0) throw new Error('an image is built by root: call it again with sudo');
  const missing = missingPackages();
  if (missing.length > 0)
    throw new Error(`programs are missing on this machine. On Debian: apt-get install ${missing.join(' ')}`);
};
