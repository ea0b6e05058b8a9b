import { spawnSync } from 'node:child_process';

const PACKAGES: Readonly<Record<string, string>> = {
  mmdebstrap: 'mmdebstrap',
  mksquashfs: 'squashfs-tools',
  mcopy: 'mtools',
  'mkfs.vfat': 'dosfstools',
  'qemu-system-x86_64': 'qemu-system-x86 ovmf',
  'qemu-system-aarch64': 'qemu-system-arm',
  setpriv: 'util-linux',
};

/** This suite is called on purpose: what it lacks is an error and not a reason to skip it. */
export const requireParts = (): void => {
  if (process.getuid?.() !== 0) throw new Error('images are built by root: sudo npm run test:image');
  const missing = Object.keys(PACKAGES).filter(
    command => spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status !== 0,
  );
  if (missing.length > 0) throw new Error(`apt-get install ${missing.map(command => PACKAGES[command]).join(' ')}`);
};
