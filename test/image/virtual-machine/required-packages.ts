import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { hostToolPackages } from '../../../packages/packaging/src/image/host-tools.ts';
import type { GuestArchitecture } from './architecture.ts';
import { PC_FIRMWARE } from './virtual-machine.ts';

/** Programs in the PATH or paths of files, with their Debian packages. */
const FOR_IMAGE: Readonly<Record<GuestArchitecture, Readonly<Record<string, string>>>> = {
  amd64: { 'qemu-system-x86_64': 'qemu-system-x86', [PC_FIRMWARE]: 'ovmf' },
  arm64: { 'qemu-system-aarch64': 'qemu-system-arm' },
};

const isPresent = (part: string): boolean =>
  part.startsWith('/') ? existsSync(part) : spawnSync('sh', ['-c', `command -v ${part}`]).status === 0;

/** Debian packages that the test of this image needs and that are not installed. */
export const missingPackages = (
  image: GuestArchitecture,
  isInstalled: (part: string) => boolean = isPresent,
): readonly string[] =>
  Object.entries({ ...hostToolPackages, setpriv: 'util-linux', ...FOR_IMAGE[image] })
    .filter(([part]) => !isInstalled(part))
    .map(([, name]) => name);

/** Throws instead of skipping, because this suite runs only on request. */
export const requirePackages = (image: GuestArchitecture): void => {
  if (process.getuid?.() !== 0) throw new Error('Building an image requires root: sudo npm run test:image');
  const missing = missingPackages(image);
  if (missing.length > 0)
    throw new Error(`The test of the ${image} image requires: apt-get install ${missing.join(' ')}`);
};
