import { renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { computeFileSha256 } from '../flash/compute-file-sha256.ts';
import { runHostProgram } from './run-host-program.ts';

const SECTOR = 512;
const MIB = 2 ** 20;
/** The size of the blocks of memory cards. */
const ALIGNMENT = 4 * MIB;

interface ImageParts {
  /** Identifier of the disk, eight hex digits. */
  readonly signature: string;
  /** `type` as sfdisk names it: `c` FAT32, `ef` EFI system, `83` Linux. The machine boots from the first partition. */
  readonly partitions: readonly { readonly file: string; readonly type: string }[];
  /** Null for as small as possible. */
  readonly sizeBytes: number | null;
}

/**
 * Writes the partitions into one file, which gets its name when it is complete. The partition table is a master boot record:
 * a Raspberry Pi 3 reads nothing newer.
 */
export const assembleSdCardImage = async (
  out: string,
  { signature, partitions, sizeBytes }: ImageParts,
): Promise<{ readonly bytes: number; readonly sha256: string }> => {
  let end = ALIGNMENT;
  const placed = partitions.map(partition => {
    const start = end;
    const { size } = statSync(partition.file);
    end = Math.ceil((start + size) / ALIGNMENT) * ALIGNMENT;
    return { ...partition, start, sectors: Math.ceil(size / SECTOR) };
  });
  if (sizeBytes !== null && sizeBytes < end) throw new Error(`--size is too small: the image needs ${end / MIB} MiB`);
  const bytes = sizeBytes ?? end;
  const partial = `${out}.partial`;
  rmSync(partial, { force: true });
  // Contains secrets when it is for one card.
  writeFileSync(partial, '', { mode: 0o600 });
  truncateSync(partial, bytes);
  const rows = placed.map(
    ({ start, sectors, type }, index) =>
      `start=${start / SECTOR}, size=${sectors}, type=${type}${index === 0 ? ', bootable' : ''}`,
  );
  const table = ['label: dos', `label-id: 0x${signature}`, ...rows, ''].join('\n');
  await runHostProgram('sfdisk', ['--quiet', '--wipe=never', partial], { input: table });
  for (const { file, start } of placed) {
    const place = ['bs=4M', `seek=${start / ALIGNMENT}`, 'conv=notrunc,sparse,fsync', 'status=none'];
    await runHostProgram('dd', [`if=${file}`, `of=${partial}`, ...place]);
  }
  const sha256 = await computeFileSha256(partial);
  renameSync(partial, out);
  return { bytes, sha256 };
};
