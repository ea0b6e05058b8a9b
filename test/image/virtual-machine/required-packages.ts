import { existsSync } from 'node:fs';
import { hostToolPackages } from '@lintel/packaging/testing';
import { isPresent as isProgramPresent } from '../../support/require-program.ts';
import type { GuestArchitecture } from './tested-architectures.ts';
import { PC_FIRMWARE } from './virtual-machine.ts';

/** Programs in the PATH or paths of files, with their Debian packages. */
const FOR_IMAGE: Readonly<Record<GuestArchitecture, Readonly<Record<string, string>>>> = {
  amd64: { 'qemu-system-x86_64': 'qemu-system-x86', [PC_FIRMWARE]: 'ovmf' },
  arm64: { 'qemu-system-aarch64': 'qemu-system-arm' },
};

const isPresent = (part: string): boolean =>
  part.startsWith('/') ? existsSync(part) : isProgramPresent({ command: part, install: '' });

type PackagesByPart = Readonly<Record<string, string>>;

const packagesOfMissing = (parts: PackagesByPart, isInstalled: (part: string) => boolean): readonly string[] =>
  Object.entries({ setpriv: 'util-linux', ...parts })
    .filter(([part]) => !isInstalled(part))
    .map(([, name]) => name);

/** Debian packages that the test of this image needs and that are not installed. */
export const missingPackages = (
  image: GuestArchitecture,
  isInstalled: (part: string) => boolean = isPresent,
): readonly string[] => packagesOfMissing({ ...hostToolPackages, ...FOR_IMAGE[image] }, isInstalled);

/** Throws instead of skipping, because the tests with virtual machines run only on request. */
export const requireParts = (parts: PackagesByPart, what: string): void => {
  if (process.getuid?.() !== 0) throw new Error(`${what} requires root`);
  const missing = packagesOfMissing(parts, isPresent);
  if (missing.length > 0) throw new Error(`${what} requires: apt-get install ${missing.join(' ')}`);
};

export const requirePackages = (image: GuestArchitecture): void =>
  requireParts({ ...hostToolPackages, ...FOR_IMAGE[image] }, `The test of the ${image} image`);
