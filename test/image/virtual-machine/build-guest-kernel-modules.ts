import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GuestArchitecture, hostArchitecture } from './tested-architectures.ts';
import { runTool } from './run-tool.ts';

/*
 * Debian's kernel package does not contain gpio-sim. Its source package does, and the module builds out of tree in seconds, in a
 * root with Debian's compiler. That root has the architecture of this host; for the other architecture it contains a cross
 * compiler, so that no foreign program has to run.
 */

const MIRROR = 'http://deb.debian.org/debian';
const TOOLS = 'make,bash,dash,coreutils,sed,grep,gawk,findutils,xz-utils,tar,libc-bin,perl-base,diffutils';

const CROSS_COMPILER: Readonly<Record<GuestArchitecture, { readonly package: string; readonly settings: string }>> = {
  amd64: {
    package: 'gcc-14-x86-64-linux-gnu',
    settings: 'ARCH=x86_64 CROSS_COMPILE=x86_64-linux-gnu- CC=x86_64-linux-gnu-gcc-14',
  },
  arm64: {
    package: 'gcc-14-aarch64-linux-gnu',
    settings: 'ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- CC=aarch64-linux-gnu-gcc-14',
  },
};

const isForeign = (architecture: GuestArchitecture): boolean => architecture !== hostArchitecture();

const compilerPackages = (architecture: GuestArchitecture): string =>
  isForeign(architecture) ? `gcc-14,${CROSS_COMPILER[architecture].package}` : 'gcc-14';

const compilerSettings = (architecture: GuestArchitecture): string =>
  isForeign(architecture) ? CROSS_COMPILER[architecture].settings : 'CC=gcc-14';

/**
 * The headers package of the foreign architecture depends on a compiler that runs there. Only its kernel configuration is
 * needed, the rest comes with the headers package of the host's architecture.
 */
const foreignHeaders = (architecture: GuestArchitecture): string => `
version=$(ls "$1/usr/src" | sed -n 's/^linux-headers-\\(.*\\)-${hostArchitecture()}$/\\1/p')
cd "$1/tmp" && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get download "linux-headers-$version-${architecture}:${architecture}" && dpkg-deb --extract linux-headers-*.deb "$1"
`;

/** The kernel exports all symbols that irq_sim needs except `irq_to_desc`. */
const IRQ_SIM_MODULE = `#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/module.h>
#define irq_to_desc(number) irq_data_to_desc(irq_get_irq_data(number))
#include "irq_sim.c"
MODULE_LICENSE("GPL");
`;

const unpack = async (root: string, architecture: GuestArchitecture, cache: string): Promise<void> => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const call = [
    '--variant=extract',
    `--architectures=${[...new Set([hostArchitecture(), architecture])].join(',')}`,
    '--format=directory',
    '--aptopt=Apt::Install-Recommends "false"',
    `--include=linux-headers-${hostArchitecture()},${compilerPackages(architecture)},${TOOLS},linux-source-6.12`,
    '--setup-hook=mkdir -p "$1"/var/cache/apt/archives',
    `--setup-hook=sync-in ${cache} /var/cache/apt/archives`,
    `--extract-hook=sync-out /var/cache/apt/archives ${cache}`,
    ...(isForeign(architecture) ? [`--extract-hook=${foreignHeaders(architecture)}`] : []),
    'trixie',
    root,
    `deb ${MIRROR} trixie main`,
    `deb ${MIRROR}-security trixie-security main`,
  ];
  // In its own mount namespace, so that nothing stays mounted when it is killed.
  await runTool('unshare', '--mount', '--propagation', 'private', 'mmdebstrap', ...call);
};

const sources = async (root: string): Promise<void> => {
  const archive = join(root, 'usr/src/linux-source-6.12.tar.xz');
  const files = ['drivers/gpio/gpio-sim.c', 'kernel/irq/irq_sim.c'].map(path => `linux-source-6.12/${path}`);
  mkdirSync(join(root, 'build'), { recursive: true });
  await runTool('tar', '-xJf', archive, '-C', join(root, 'usr/src'), '--occurrence=1', ...files);
  for (const path of files) copyFileSync(join(root, 'usr/src', path), join(root, 'build', path.split('/').at(-1)!));
  writeFileSync(join(root, 'build/irq-sim-module.c'), IRQ_SIM_MODULE);
  writeFileSync(join(root, 'build/Makefile'), 'obj-m := gpio-sim.o irq-sim-module.o\n');
};

const make = async (root: string, architecture: GuestArchitecture, version: string): Promise<void> => {
  if (!existsSync(join(root, 'usr/bin/awk'))) symlinkSync('gawk', join(root, 'usr/bin/awk'));
  writeFileSync(join(root, 'dev/null'), '');
  const call = `PATH=/usr/bin:/usr/sbin make -C /usr/src/linux-headers-${version} M=/build modules ${compilerSettings(architecture)}`;
  const mounted = `mount -t proc proc "$0/proc" && mount --bind /dev/null "$0/dev/null" && exec chroot "$0" /bin/sh -c "$1"`;
  await runTool('unshare', '--mount', '--propagation', 'private', 'sh', '-c', mounted, root, call);
};

export interface GuestModules {
  readonly kernel: string;
  readonly files: readonly string[];
}

/** Builds the modules for Debian's current kernel, or takes those of an earlier run from the cache. */
export const guestModules = async (architecture: GuestArchitecture, cacheDir: string): Promise<GuestModules> => {
  const root = join(cacheDir, `kernel-build-${hostArchitecture()}-${architecture}`);
  const built = ['gpio-sim.ko', 'irq-sim-module.ko'].map(name => join(root, 'build', name));
  if (!built.every(file => existsSync(file))) {
    if (!existsSync(join(root, 'usr/src/linux-source-6.12.tar.xz')))
      await unpack(root, architecture, join(cacheDir, `kernel-packages-${hostArchitecture()}-${architecture}`));
    await sources(root);
  }
  const headers = readdirSync(join(root, 'usr/src')).find(
    name => name.startsWith('linux-headers-') && name.endsWith(architecture),
  );
  if (headers === undefined) throw new Error(`${root} has no headers of the kernel`);
  const kernel = headers.slice('linux-headers-'.length);
  if (!built.every(file => existsSync(file))) await make(root, architecture, kernel);
  return { kernel, files: built };
};
