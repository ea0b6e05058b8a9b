import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import type { BlockDevice, TargetFacts } from './target-judgement.ts';

const COLUMNS = 'NAME,PATH,TYPE,SIZE,RO,RM,TRAN,MODEL,MOUNTPOINTS,PKNAME';

/** Older versions write numbers as text and flags as "0" and "1". */
interface Row {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly size: number | string | null;
  readonly ro: boolean | string;
  readonly rm: boolean | string;
  readonly tran: string | null;
  readonly model: string | null;
  readonly mountpoints?: readonly (string | null)[];
  readonly pkname?: string | null;
  readonly children?: readonly Row[];
}

const flag = (value: boolean | string): boolean => value === true || value === '1';

const deviceOf = (row: Row): BlockDevice => ({
  name: row.name,
  path: row.path,
  type: row.type,
  size: Number(row.size ?? 0),
  ro: flag(row.ro),
  rm: flag(row.rm),
  tran: row.tran,
  model: row.model?.trim() ?? null,
  mountpoints: (row.mountpoints ?? []).filter(place => place !== null),
  children: (row.children ?? []).map(child => deviceOf(child)),
});

/** What `lsblk` printed for one device, as facts. */
export const factsOf = (lsblkJson: string, mmcTypeOf: (name: string) => string | null): TargetFacts => {
  const [row] = (JSON.parse(lsblkJson) as { readonly blockdevices: readonly Row[] }).blockdevices;
  if (row === undefined) throw new Error('lsblk knows no such device');
  const parent = row.pkname === undefined || row.pkname === null ? null : `/dev/${row.pkname}`;
  return { device: deviceOf(row), mmcType: mmcTypeOf(row.name), parent };
};

const kernelMmcType = (name: string): string | null => {
  try {
    return readFileSync(`/sys/block/${name}/device/type`, 'utf8').trim();
  } catch {
    return null;
  }
};

const isBlockDevice = (path: string): boolean => {
  try {
    return statSync(path).isBlockDevice();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`${path} does not exist`, { cause: error });
    throw error;
  }
};

export const lookAtTarget = async (path: string): Promise<TargetFacts> => {
  if (process.platform !== 'linux')
    throw new Error('disks are written on Linux only: elsewhere Raspberry Pi Imager writes the file as a custom image');
  if (!isBlockDevice(path)) throw new Error(`${path} is not a block device, such as /dev/sdb or /dev/mmcblk0`);
  const call = ['--json', '--bytes', '--output', COLUMNS, path];
  const { stdout } = await promisify(execFile)('lsblk', call);
  return factsOf(stdout, kernelMmcType);
};
