import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../image/virtual-machine/run-tool.ts';

/** The release of Debian that the images have. */
const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
const PACKAGES = [
  'linux-image-amd64',
  'dbus-daemon',
  'bluez',
  'bluez-test-tools',
  'busybox-static',
  'usbrelay',
  'kmod',
  'util-linux',
];
/** Those that the firmware needs. */
const LIBRARIES = ['libstdc++6', 'libpcsclite1'];

/** btvirt and bluetoothd use ciphers of the kernel. */
const CIPHERS = ['algif_hash', 'algif_skcipher', 'ecb', 'cmac', 'ccm', 'aes_generic', 'ecdh_generic'];
/** The first process of the guest loads them, because loading one later takes longer than the time limits of Bluetooth. */
export const GUEST_MODULES: readonly string[] = [
  'virtio_pci',
  'virtio_net',
  'virtio_rng',
  'uinput',
  'evdev',
  'i2c-dev',
  'i2c-stub',
  'uhid',
  'hid-generic',
  ...CIPHERS,
  'hci_vhci',
];

const UNUSED = ['boot', 'usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/share/info', 'var/lib/apt'];

export interface GuestRoot {
  readonly kernel: string;
  /** Part of an initramfs. */
  readonly archive: string;
}

/** An archive that the kernel unpacks at its start. Several may follow each other in one file. */
export const createInitramfsArchive = async (folder: string, archive: string): Promise<void> => {
  const pack = 'cd "$0" && find . | cpio --quiet --create --format=newc --owner=+0:+0 >"$1"';
  await runTool('sh', '-c', pack, folder, archive);
};

const unpack = async (root: string): Promise<void> => {
  const call = [
    '--variant=extract',
    '--architectures=amd64',
    '--format=directory',
    '--aptopt=Apt::Install-Recommends "false"',
    `--include=${[...PACKAGES, ...LIBRARIES].join(',')}`,
    SUITE,
    root,
    `deb ${MIRROR} ${SUITE} main`,
  ];
  // In its own mount namespace, so that nothing stays mounted when it is killed.
  await runTool('unshare', '--mount', '--propagation', 'private', 'mmdebstrap', ...call);
};

/** Leaves only the modules that the test needs. */
const reduceModules = async (root: string): Promise<void> => {
  const [version] = readdirSync(join(root, 'usr/lib/modules'));
  await runTool('depmod', '-b', root, version!);
  const files = new Set<string>();
  for (const module of GUEST_MODULES) {
    const required = await runTool('modprobe', '-d', root, '-S', version!, '--show-depends', module);
    for (const [, file] of required.matchAll(/^insmod (\S+)/gm)) files.add(file!);
  }
  const [all, kept] = [join(root, 'usr/lib/modules', version!, 'kernel'), join(root, 'kernel-modules')];
  mkdirSync(kept);
  for (const file of files) renameSync(file, join(kept, file.split('/').at(-1)!));
  rmSync(all, { recursive: true });
  renameSync(kept, all);
  await runTool('depmod', '-b', root, version!);
};

/** Debian with BlueZ and a kernel, or that of an earlier run from the cache. */
export const prepareGuestRoot = async (cacheDir: string): Promise<GuestRoot> => {
  const contents = JSON.stringify([SUITE, PACKAGES, LIBRARIES, GUEST_MODULES]);
  const folder = join(cacheDir, `kernel-guest-${createHash('sha256').update(contents).digest('hex').slice(0, 8)}`);
  const [root, archive] = [join(folder, 'root'), join(folder, 'root.cpio')];
  const [kernel, unfinished] = [join(folder, 'vmlinuz'), `${archive}.unfinished`];
  if (existsSync(archive)) return { kernel, archive };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await unpack(root);
  const image = readdirSync(join(root, 'boot')).find(name => name.startsWith('vmlinuz-'));
  renameSync(join(root, 'boot', image!), kernel);
  await reduceModules(root);
  for (const path of UNUSED) rmSync(join(root, path), { recursive: true, force: true });
  await createInitramfsArchive(root, unfinished);
  renameSync(unfinished, archive);
  rmSync(root, { recursive: true });
  return { kernel, archive };
};
