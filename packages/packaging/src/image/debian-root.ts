import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildSettings } from './build-settings.ts';
import { toolPath } from './host-tools.ts';
import { PIECES } from './root-plan.ts';
import { runProgram } from './run-program.ts';

const SUITE = 'trixie';
const COMPONENTS = 'main non-free-firmware';

/** For a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The archive's own place for security updates, or the same for a mirror or a snapshot. */
const sourcesOf = (mirror: string): readonly string[] => [
  `deb ${mirror} ${SUITE} ${COMPONENTS}`,
  `deb ${mirror} ${SUITE}-updates ${COMPONENTS}`,
  `deb ${mirror.replace(/\/debian$/, '/debian-security')} ${SUITE}-security ${COMPONENTS}`,
];

export interface DebianRootOptions extends Pick<BuildSettings, 'architecture' | 'mirror' | 'cacheDir'> {
  readonly packages: readonly string[];
  readonly planFile: string;
  /** Where the pieces are put. */
  readonly out: string;
  readonly epoch: number;
  readonly onLine: (line: string) => void;
}

/**
 * Unpacks the packages without running any of their scripts, which are for another processor, and finishes the root in
 * its own process. Packages that were fetched before come from the cache; apt checks their sums against signed lists.
 */
export const debianRoot = async (options: DebianRootOptions): Promise<void> => {
  const { architecture, mirror, cacheDir, packages, planFile, out, epoch, onLine } = options;
  const archives = join(cacheDir, architecture);
  mkdirSync(archives, { recursive: true });
  const finish = join(import.meta.dirname, 'finish-root-process.ts');
  const finishing = [process.execPath, finish, planFile].map(word => quoted(word)).join(' ');
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
    `--setup-hook=sync-in ${quoted(archives)} /var/cache/apt/archives`,
    `--extract-hook=sync-out /var/cache/apt/archives ${quoted(archives)}`,
    `--extract-hook=${finishing} "$1"`,
    `--extract-hook=sync-out /${PIECES} ${quoted(out)}`,
    SUITE,
    '/dev/null',
    ...sourcesOf(mirror),
  ];
  // It mounts the machine's own /proc, /sys and /dev/shm into the root. In a namespace of its own they go when it goes,
  // also when it is killed: whoever tidies up behind it by hand would delete what is the machine's.
  const call = ['--mount', '--propagation', 'private', 'mmdebstrap', ...args];
  await runProgram('unshare', call, { env: { PATH: toolPath(), SOURCE_DATE_EPOCH: String(epoch) }, onLine });
};
