import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import type { Architecture } from './architecture.ts';
import { PC_FIRMWARE } from './virtual-machine.ts';

interface NeededPart {
  /** A program in the PATH, or the path of a file. */
  readonly part: string;
  readonly package: string;
}

const ALWAYS: readonly NeededPart[] = [
  { part: 'mmdebstrap', package: 'mmdebstrap' },
  { part: 'mksquashfs', package: 'squashfs-tools' },
  { part: 'mcopy', package: 'mtools' },
  { part: 'mkfs.vfat', package: 'dosfstools' },
  { part: 'mke2fs', package: 'e2fsprogs' },
  { part: 'depmod', package: 'kmod' },
  { part: 'xz', package: 'xz-utils' },
  { part: 'setpriv', package: 'util-linux' },
];

const FOR_IMAGE: Readonly<Record<Architecture, readonly NeededPart[]>> = {
  amd64: [
    { part: 'qemu-system-x86_64', package: 'qemu-system-x86' },
    { part: PC_FIRMWARE, package: 'ovmf' },
  ],
  arm64: [{ part: 'qemu-system-aarch64', package: 'qemu-system-arm' }],
};

const isPresent = (part: string): boolean =>
  part.startsWith('/') ? existsSync(part) : spawnSync('sh', ['-c', `command -v ${part}`]).status === 0;

/** Debian packages that the test of this image needs and that are not installed. */
export const missingPackages = (
  image: Architecture,
  isInstalled: (part: string) => boolean = isPresent,
): readonly string[] =>
  [...ALWAYS, ...FOR_IMAGE[image]].filter(({ part }) => !isInstalled(part)).map(needed => needed.package);

/** Throws instead of skipping: this suite only runs when it is asked for. */
export const requireParts = (image: Architecture): void => {
  if (process.getuid?.() !== 0) throw new Error('Building an image requires root: sudo npm run test:image');
  const missing = missingPackages(image);
  if (missing.length > 0)
    throw new Error(`The test of the ${image} image requires: apt-get install ${missing.join(' ')}`);
};
