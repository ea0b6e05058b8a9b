import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bootFiles } from './boot-files.ts';
import { filesBelow, foldersOf } from './files-below.ts';
import { kernelVersionOf } from './finish-root.ts';
import { toolPath } from './host-tools.ts';
import type { RootPlan } from './root-plan.ts';
import { runProgram } from './run-program.ts';

const MIB = 2 ** 20;
const RASPBERRY_PROGRAMS = ['bootcode.bin', 'start.elf', 'start4.elf', 'fixup.dat', 'fixup4.dat'];
const RASPBERRY_BOARDS = /^bcm(2837-rpi-(3|zero-2|cm3)|2711-rpi-)/;
const EFI_PROGRAM = {
  arm64: ['systemd-bootaa64.efi', 'BOOTAA64.EFI'],
  amd64: ['systemd-bootx64.efi', 'BOOTX64.EFI'],
} as const;

const raspberryFirmware = (root: string, folder: string, version: string): void => {
  const firmware = join(root, 'usr/lib/raspi-firmware');
  for (const name of RASPBERRY_PROGRAMS) copyFileSync(join(firmware, name), join(folder, name));
  if (existsSync(join(firmware, 'overlays')))
    cpSync(join(firmware, 'overlays'), join(folder, 'overlays'), { recursive: true });
  const trees = join(root, `usr/lib/linux-image-${version}/broadcom`);
  for (const name of readdirSync(trees)) {
    if (RASPBERRY_BOARDS.test(name)) copyFileSync(join(trees, name), join(folder, name));
  }
};

/** Everything that the machine's boot program reads, in a folder. */
const gather = (root: string, folder: string, initrd: Buffer, plan: RootPlan): void => {
  const version = kernelVersionOf(root);
  const facts = { ...plan, kernelVersion: version, firmwareSettings: ['enable_uart=1'], extraArguments: '' };
  for (const { path, text } of bootFiles(facts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'initrd.img'), initrd);
  copyFileSync(join(root, `boot/vmlinuz-${version}`), join(folder, 'vmlinuz'));
  const [from, to] = EFI_PROGRAM[plan.architecture];
  mkdirSync(join(folder, 'EFI/BOOT'), { recursive: true });
  copyFileSync(join(root, 'usr/lib/systemd/boot/efi', from), join(folder, 'EFI/BOOT', to));
  if (plan.architecture === 'arm64') raspberryFirmware(root, folder, version);
};

/** A FAT file system with all of it, made without mounting anything. */
export const bootPartition = async (
  root: string,
  folder: string,
  out: string,
  initrd: Buffer,
  plan: RootPlan,
): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  gather(root, folder, initrd, plan);
  const files = filesBelow(folder);
  const content = files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  // Room for the next kernel, and more clusters than FAT32 has at least.
  const size = Math.max(96, Math.ceil(content / MIB) + 32) * MIB;
  const env = { PATH: toolPath(), SOURCE_DATE_EPOCH: String(plan.epoch), MTOOLS_SKIP_CHECK: '1', TZ: 'UTC' };
  const kibibytes = String(size / 1024);
  const format = ['-C', '-F', '32', '-s', '1', '-n', 'LINTELBOOT', '-i', plan.signature, '--invariant', out, kibibytes];
  await runProgram('mkfs.vfat', format, { env });
  const folders = foldersOf(files);
  if (folders.length > 0) await runProgram('mmd', ['-i', out, ...folders.map(path => `::${path}`)], { env });
  for (const path of files) {
    utimesSync(join(folder, path), plan.epoch, plan.epoch);
    await runProgram('mcopy', ['-m', '-i', out, join(folder, path), `::${path}`], { env });
  }
};
