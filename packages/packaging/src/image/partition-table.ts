/** In sectors of 512 bytes. */
export interface Partition {
  readonly start: number;
  readonly sectors: number;
  /** 0x0c FAT32, 0xef EFI system, 0x83 Linux. */
  readonly type: number;
  readonly isActive?: boolean;
}

export const SECTOR = 512;
const TABLE = 446;
const ENTRY = 16;

/** Cylinders, heads and sectors say nothing today; this is how "look at the other numbers" is written. */
const NO_GEOMETRY = Buffer.from([0xfe, 0xff, 0xff]);

/**
 * A master boot record: the boot program in the chip of a Raspberry Pi 3 reads nothing newer. The signature makes up the
 * PARTUUIDs by which the system finds its partitions.
 */
export const masterBootRecord = (signature: number, partitions: readonly Partition[]): Buffer => {
  if (partitions.length > 4) throw new RangeError('there is room for four partitions');
  const sector = Buffer.alloc(SECTOR);
  sector.writeUInt32LE(signature, 440);
  for (const [index, { start, sectors, type, isActive = false }] of partitions.entries()) {
    const at = TABLE + index * ENTRY;
    sector.writeUInt8(isActive ? 0x80 : 0, at);
    NO_GEOMETRY.copy(sector, at + 1);
    sector.writeUInt8(type, at + 4);
    NO_GEOMETRY.copy(sector, at + 5);
    sector.writeUInt32LE(start, at + 8);
    sector.writeUInt32LE(sectors, at + 12);
  }
  sector.writeUInt16LE(0xaa55, SECTOR - 2);
  return sector;
};

const ALIGNMENT = (4 << 20) / SECTOR;

/** One behind the other, each at a border of 4 MiB, as the blocks of memory cards want it. */
export const laidOut = (
  parts: readonly { readonly bytes: number; readonly type: number; readonly isActive?: boolean }[],
): { readonly partitions: readonly Partition[]; readonly totalBytes: number } => {
  let next = ALIGNMENT;
  const partitions = parts.map(({ bytes, ...rest }) => {
    const sectors = Math.ceil(bytes / SECTOR);
    const partition = { start: next, sectors, ...rest };
    next = Math.ceil((next + sectors) / ALIGNMENT) * ALIGNMENT;
    return partition;
  });
  return { partitions, totalBytes: next * SECTOR };
};
