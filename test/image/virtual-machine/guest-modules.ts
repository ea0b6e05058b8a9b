import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';

/*
 * Debian's kernel has no gpio-sim. Its source package has, and builds out of the tree in seconds, in a folder of Debian's
 * own compiler for the guest's processor.
 */

type Architecture = 'arm64' | 'amd64';

const MIRROR = 'http://deb.debian.org/debian';
const TOOLS = 'make,bash,dash,coreutils,sed,grep,gawk,findutils,xz-utils,tar,libc-bin,perl-base,diffutils';

const COMPILER: Readonly<Record<Architecture, { readonly packages: string; readonly settings: string }>> = {
  amd64: { packages: 'gcc-14', settings: 'CC=gcc-14' },
  arm64: {
    packages: 'gcc-14,gcc-14-aarch64-linux-gnu',
    settings: 'ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- CC=aarch64-linux-gnu-gcc-14',
  },
};

/** The package for arm64 wants a compiler that runs there. The same kernel's for this machine brings all but its settings. */
const SETTINGS_OF_ARM64 = `
version=$(ls "$1/usr/src" | sed -n 's/^linux-headers-\\(.*\\)-amd64$/\\1/p')
cd "$1/tmp" && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get download "linux-headers-$version-arm64:arm64" && dpkg-deb --extract linux-headers-*.deb "$1"
`;

/** The kernel exports everything that it needs but this one name, and a licence is asked of a module. */
const IRQ_SIM_MODULE = `#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/module.h>
#define irq_to_desc(number) irq_data_to_desc(irq_get_irq_data(number))
#include "irq_sim.c"
MODULE_LICENSE("GPL");
`;

const unpack = async (root: string, architecture: Architecture, cache: string): Promise<void> => {
  mkdirSync(cache, { recursive: true });
  const call = [
    '--variant=extract',
    '--architectures=amd64,arm64',
    '--format=directory',
    '--aptopt=Apt::Install-Recommends "false"',
    `--include=linux-headers-amd64,${COMPILER[architecture].packages},${TOOLS},linux-source-6.12`,
    '--setup-hook=mkdir -p "$1"/var/cache/apt/archives',
    `--setup-hook=sync-in ${cache} /var/cache/apt/archives`,
    `--extract-hook=sync-out /var/cache/apt/archives ${cache}`,
    ...(architecture === 'arm64' ? [`--extract-hook=${SETTINGS_OF_ARM64}`] : []),
    'trixie',
    root,
    `deb ${MIRROR} trixie main`,
    `deb ${MIRROR}-security trixie-security main`,
  ];
  // What it mounts goes with it.
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

const make = async (root: string, architecture: Architecture, version: string): Promise<void> => {
  if (!existsSync(join(root, 'usr/bin/awk'))) symlinkSync('gawk', join(root, 'usr/bin/awk'));
  writeFileSync(join(root, 'dev/null'), '');
  const call = `PATH=/usr/bin:/usr/sbin make -C /usr/src/linux-headers-${version} M=/build modules ${COMPILER[architecture].settings}`;
  const mounted = `mount -t proc proc "$0/proc" && mount --bind /dev/null "$0/dev/null" && exec chroot "$0" /bin/sh -c "$1"`;
  await runTool('unshare', '--mount', '--propagation', 'private', 'sh', '-c', mounted, root, call);
};

export interface GuestModules {
  readonly kernel: string;
  readonly files: readonly string[];
}

/** Built once for a kernel and kept. */
export const guestModules = async (architecture: Architecture, cacheDir: string): Promise<GuestModules> => {
  const root = join(cacheDir, `kernel-build-${architecture}`);
  const built = ['gpio-sim.ko', 'irq-sim-module.ko'].map(name => join(root, 'build', name));
  if (!built.every(file => existsSync(file))) {
    if (!existsSync(join(root, 'usr/src/linux-source-6.12.tar.xz')))
      await unpack(root, architecture, join(cacheDir, `kernel-packages-${architecture}`));
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
