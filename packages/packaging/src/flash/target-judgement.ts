/** What `lsblk --json --bytes` tells of a disk and of what is made of it. */
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
  readonly mountpoints: readonly string[];
  readonly children: readonly BlockDevice[];
}

export interface TargetFacts {
  readonly device: BlockDevice;
  /** `SD` for cards, `MMC` for memory that is soldered in; null for everything else. */
  readonly mmcType: string | null;
  /** The disk that it is a part of, for a partition. */
  readonly parent: string | null;
}

export type Judgement = { readonly ok: true } | { readonly ok: false; readonly message: string };

const refused = (message: string): Judgement => ({ ok: false, message });

const MB = 1_000_000;

export const sizeInWords = (bytes: number): string =>
  bytes >= 1000 * MB ? `${(bytes / (1000 * MB)).toFixed(1)} GB` : `${Math.round(bytes / MB)} MB`;

const withAllInside = (device: BlockDevice): readonly BlockDevice[] => [
  device,
  ...device.children.flatMap(child => withAllInside(child)),
];

const isRemovable = ({ device, mmcType }: TargetFacts): boolean => {
  if (device.type === 'loop') return true;
  if (device.name.startsWith('mmcblk')) return mmcType === 'SD';
  return device.tran === 'usb' || (device.rm && device.tran !== 'sata' && device.tran !== 'nvme');
};

const inUse = (device: BlockDevice): string | null => {
  const all = withAllInside(device);
  const mounted = all.flatMap(({ path, mountpoints }) => mountpoints.map(place => ({ path, place })));
  if (mounted.some(({ place }) => place === '[SWAP]')) return `${device.path} holds swap space that is in use`;
  if (mounted.length > 0) {
    const places = mounted.map(({ path, place }) => `${path} on ${place}`).join(', ');
    const partitions = [...new Set(mounted.map(({ path }) => path))].join(' ');
    return `${device.path} is mounted: ${places}. Unmount it first: umount ${partitions}`;
  }
  const held = all.find(({ type }) => !['disk', 'part', 'loop'].includes(type));
  return held === undefined ? null : `${device.path} is in use: ${held.path} (${held.type}) is made of it`;
};

/** Whether this disk may be overwritten by an image of so many bytes. Everything that is not surely right is refused. */
export const judgeTarget = (facts: TargetFacts, imageBytes: number): Judgement => {
  const { device, parent } = facts;
  if (device.type === 'part')
    return refused(`${device.path} is a partition: give the whole disk${parent === null ? '' : `, ${parent}`}`);
  if (device.type !== 'disk' && device.type !== 'loop')
    return refused(`${device.path} is no disk that can be written (${device.type})`);
  const use = inUse(device);
  if (use !== null) return refused(use);
  if (!isRemovable(facts))
    return refused(`${device.path} is built into this machine: only memory cards and USB disks are written`);
  if (device.size === 0) return refused(`there is no card in ${device.path}`);
  if (device.ro) return refused(`${device.path} is write protected: look for the switch at the side of the card`);
  if (device.size < imageBytes)
    return refused(
      `${device.path} is too small: it has ${sizeInWords(device.size)}, the image needs ${sizeInWords(imageBytes)}`,
    );
  return { ok: true };
};
