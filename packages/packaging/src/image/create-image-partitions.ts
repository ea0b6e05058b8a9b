import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageSettings } from './parse-image-build-options.ts';
import { runHostProgram } from './run-host-program.ts';
import { imageSystemFilesFolder } from './system-files-folder.ts';

const SUITE = 'trixie';
const COMPONENTS = 'main non-free-firmware';

const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Security updates have their own archive, at mirrors and snapshots too. */
const sourcesOf = (mirror: string): readonly string[] => [
  `deb ${mirror} ${SUITE} ${COMPONENTS}`,
  `deb ${mirror} ${SUITE}-updates ${COMPONENTS}`,
  `deb ${mirror.replace(/\/debian$/, '/debian-security')} ${SUITE}-security ${COMPONENTS}`,
];

interface PartitionInputs {
  readonly settings: ImageSettings;
  readonly packages: readonly string[];
  readonly signature: string;
  /** The controller's package. */
  readonly packageFile: string;
  /** Contains `root` and `seed`, gets `partitions`. */
  readonly work: string;
  readonly epoch: number;
  readonly onLine: (line: string) => void;
}

/**
 * Unpacks Debian packages without running their scripts, which are for another architecture, and makes the partitions of it.
 * Downloaded packages stay in the cache; apt checks them against signed lists.
 */
export const createImagePartitions = async (inputs: PartitionInputs): Promise<void> => {
  const { settings, packages, signature, packageFile, work, epoch, onLine } = inputs;
  const { architecture, mirror, overlay } = settings;
  const cache = join(settings.cacheDir, architecture);
  mkdirSync(cache, { recursive: true });
  const args = [
    '--mode=root',
    '--variant=extract',
    `--architectures=${architecture}`,
    '--format=null',
    '--aptopt=Apt::Install-Recommends "false"',
    '--aptopt=Acquire::Languages "none"',
    '--aptopt=Acquire::Check-Valid-Until "false"',
    `--include=${packages.join(',')}`,
    '--setup-hook=mkdir -p "$1"/var/cache/apt/archives',
    `--setup-hook=sync-in ${quoteForShell(cache)} /var/cache/apt/archives`,
    `--extract-hook=sync-out /var/cache/apt/archives ${quoteForShell(cache)}`,
    `--extract-hook=${quoteForShell(join(imageSystemFilesFolder, 'make-partitions'))} "$1"`,
    SUITE,
    '/dev/null',
    ...sourcesOf(mirror),
  ];
  const env = {
    SOURCE_DATE_EPOCH: String(epoch),
    LINTEL_ARCHITECTURE: architecture,
    LINTEL_SIGNATURE: signature,
    LINTEL_PACKAGE: packageFile,
    LINTEL_OVERLAY: overlay ?? '',
    LINTEL_WORK: work,
  };
  // mmdebstrap mounts /proc, /sys and /dev/shm of the host into the root. In a separate mount namespace they disappear with
  // it, also when it is killed, so that deleting the root never deletes files of the host.
  await runHostProgram('unshare', ['--mount', '--propagation', 'private', 'mmdebstrap', ...args], { env, onLine });
};
