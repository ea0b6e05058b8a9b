import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import type { BlockDevice, FlashTarget } from './require-allowed-flash-target.ts';

const COLUMNS = 'NAME,PATH,TYPE,SIZE,RO,RM,TRAN,MODEL,MOUNTPOINTS,PKNAME';

const mmcTypeOf = (name: string): string | null => {
  try {
    return readFileSync(`/sys/block/${name}/device/type`, 'utf8').trim();
  } catch {
    return null;
  }
};

export const inspectFlashTarget = async (path: string): Promise<FlashTarget> => {
  if (process.platform !== 'linux')
    throw new Error('Disks can be written on Linux only. Elsewhere, write the file with Raspberry Pi Imager');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${path} does not exist`);
  if (!stat.isBlockDevice()) throw new Error(`${path} is not a block device, such as /dev/sdb or /dev/mmcblk0`);
  const { stdout } = await promisify(execFile)('lsblk', ['--json', '--bytes', '--output', COLUMNS, path]);
  const [device] = (JSON.parse(stdout) as { readonly blockdevices: readonly BlockDevice[] }).blockdevices;
  if (device === undefined) throw new Error(`lsblk does not list ${path}`);
  return { device, mmcType: mmcTypeOf(device.name) };
};
