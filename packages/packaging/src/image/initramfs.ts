import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { type CpioEntry, cpioArchive } from './cpio-archive.ts';
import { filesBelow, foldersOf } from './files-below.ts';
import { kernelVersionOf } from './finish-root.ts';
import { isModuleNeededEarly, plainModule, withDependencies } from './kernel-modules.ts';
import type { RootPlan } from './root-plan.ts';
import { runProgram } from './run-program.ts';

const FOLDER = 0o040755;
const FILE = 0o100644;
const PROGRAM = 0o100755;
const CONSOLE = 0o020600;

/** busybox loads plain modules only, so that they are unwrapped; the archive as a whole is compressed again. */
const unwrapped = async (file: string): Promise<Buffer> => {
  if (file.endsWith('.xz')) return runProgram('xz', ['--decompress', '--stdout', file]);
  if (file.endsWith('.zst')) return runProgram('zstd', ['--decompress', '--stdout', file]);
  return readFileSync(file);
};

/** The modules that lead to the root, with their own index, in a folder of their own. */
const earlyModules = async (root: string, scratch: string): Promise<void> => {
  const version = kernelVersionOf(root);
  const from = join(root, 'usr/lib/modules', version);
  const to = join(scratch, 'lib/modules', version);
  const wanted = filesBelow(from).filter(path => isModuleNeededEarly(path));
  for (const path of withDependencies(wanted, readFileSync(join(from, 'modules.dep'), 'utf8'))) {
    const target = join(to, plainModule(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, await unwrapped(join(from, path)));
  }
  for (const name of ['modules.builtin', 'modules.order', 'modules.builtin.modinfo'])
    writeFileSync(join(to, name), readFileSync(join(from, name)));
  await runProgram('depmod', ['--basedir', scratch, version]);
};

/** The first program, the tools that it calls, and drivers. */
export const initramfs = async (root: string, scratch: string, plan: RootPlan): Promise<Buffer> => {
  await earlyModules(root, scratch);
  const modules = filesBelow(scratch).filter(path => !path.endsWith('.bin'));
  const folders = foldersOf([...modules, 'bin/busybox', 'dev/console', 'proc/.', 'sys/.']);
  const entries: CpioEntry[] = [
    ...folders.map(path => ({ path, mode: FOLDER, content: new Uint8Array() })),
    { path: 'init', mode: PROGRAM, content: readFileSync(join(plan.systemDir, 'initramfs/init')) },
    { path: 'bin/busybox', mode: PROGRAM, content: readFileSync(join(root, 'usr/bin/busybox')) },
    { path: 'dev/console', mode: CONSOLE, content: new Uint8Array(), device: [5, 1] },
    ...modules.map(path => ({ path, mode: FILE, content: readFileSync(join(scratch, path)) })),
  ];
  return promisify(zstdCompress)(cpioArchive(entries, plan.epoch), {
    params: { [constants.ZSTD_c_compressionLevel]: 12 },
  });
};
