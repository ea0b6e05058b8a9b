/** A device as `lsblk --json --bytes` prints it. */
export interface BlockDevice {
  readonly name: string;
  readonly path: string;
  /** `disk`, `part`, `loop`, `crypt`, `lvm`, `raid1`, `rom`… */
  readonly type: string;
  readonly size: number;
  readonly ro: boolean;
  readonly rm: boolean;
  readonly tran: string | null;
  readonly model: string | null;
  readonly mountpoints: readonly (string | null)[];
  /** Name of the disk of a partition. */
  readonly pkname: string | null;
  readonly children?: readonly BlockDevice[];
}

export interface FlashTarget {
  readonly device: BlockDevice;
  /** `SD` for cards, `MMC` for soldered memory, null for everything else. */
  readonly mmcType: string | null;
}

const MB = 1_000_000;

export const formatByteSize = (bytes: number): string =>
  bytes >= 1000 * MB ? `${(bytes / (1000 * MB)).toFixed(1)} GB` : `${Math.round(bytes / MB)} MB`;

const withDescendants = (device: BlockDevice): readonly BlockDevice[] => [
  device,
  ...(device.children ?? []).flatMap(child => withDescendants(child)),
];

const isRemovable = ({ device, mmcType }: FlashTarget): boolean => {
  if (device.type === 'loop') return true;
  if (device.name.startsWith('mmcblk')) return mmcType === 'SD';
  return device.tran === 'usb' || (device.rm && device.tran !== 'sata' && device.tran !== 'nvme');
};

const checkUnused = (device: BlockDevice): void => {
  const all = withDescendants(device);
  const mounts = all.flatMap(({ path, mountpoints }) =>
    mountpoints.filter(place => place !== null).map(place => ({ path, place })),
  );
  if (mounts.some(({ place }) => place === '[SWAP]')) throw new Error(`${device.path} holds swap space that is in use`);
  if (mounts.length > 0) {
    const places = mounts.map(({ path, place }) => `${path} on ${place}`).join(', ');
    const partitions = [...new Set(mounts.map(({ path }) => path))].join(' ');
    throw new Error(`${device.path} is mounted: ${places}. Unmount it first: umount ${partitions}`);
  }
  const user = all.find(({ type }) => !['disk', 'part', 'loop'].includes(type));
  if (user !== undefined) throw new Error(`${device.path} is in use by ${user.path} (${user.type})`);
};

/** Throws unless the image may overwrite this disk. Rejects every disk that is not certainly the right kind. */
export const requireAllowedFlashTarget = (target: FlashTarget, imageBytes: number): void => {
  const { path, type, size, ro, pkname } = target.device;
  if (type === 'part')
    throw new Error(`${path} is a partition. Specify the whole disk${pkname === null ? '' : `: /dev/${pkname}`}`);
  if (type !== 'disk' && type !== 'loop') throw new Error(`${path} is not a disk (${type})`);
  checkUnused(target.device);
  if (!isRemovable(target)) throw new Error(`${path} is built into this machine. Specify a memory card or a USB disk`);
  if (size === 0) throw new Error(`No card in ${path}. Insert one and try again`);
  if (ro) throw new Error(`${path} is write protected: look for the switch at the side of the card`);
  if (size < imageBytes)
    throw new Error(
      `${path} is too small: it has ${formatByteSize(size)}, the image needs ${formatByteSize(imageBytes)}`,
    );
};
