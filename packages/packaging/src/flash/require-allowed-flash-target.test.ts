import { describe, expect, it } from 'vitest';
import { type BlockDevice, requireAllowedFlashTarget, formatByteSize } from './require-allowed-flash-target.ts';

const IMAGE = 365_000_000;
const GB = 1_000_000_000;

/** As lsblk prints it. */
const card: BlockDevice = {
  name: 'sdb',
  path: '/dev/sdb',
  type: 'disk',
  size: 32 * GB,
  ro: false,
  rm: true,
  tran: 'usb',
  model: 'Card Reader',
  mountpoints: [null],
  pkname: null,
};

const part = (given: Partial<BlockDevice>): BlockDevice => ({
  ...card,
  name: 'sdb1',
  path: '/dev/sdb1',
  type: 'part',
  size: GB,
  pkname: 'sdb',
  ...given,
});

const check = (device: Partial<BlockDevice>, mmcType: string | null = null): string => {
  try {
    requireAllowedFlashTarget({ device: { ...card, ...device }, mmcType }, IMAGE);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

const mmc = { name: 'mmcblk0', path: '/dev/mmcblk0', rm: false, tran: null, model: null };

describe('flash target', () => {
  it.each([
    ['a card in a USB reader', {}, null],
    ['a USB disk that does not call itself removable', { rm: false }, null],
    ['a card in a slot of the machine', mmc, 'SD'],
    ['a card with unused partitions', { children: [part({})] }, null],
    ['a file as a disk', { name: 'loop3', path: '/dev/loop3', type: 'loop', rm: false, tran: null }, null],
  ])('is accepted: %s', (_, device, mmcType) => {
    expect(check(device, mmcType)).toBe('accepted');
  });

  const internal = (path: string) => `${path} is built into this machine. Specify a memory card or a USB disk`;

  it.each([
    ['an NVMe disk', { name: 'nvme0n1', path: '/dev/nvme0n1', rm: false, tran: 'nvme' }, internal('/dev/nvme0n1')],
    ['a SATA disk', { name: 'sda', path: '/dev/sda', rm: false, tran: 'sata' }, internal('/dev/sda')],
    ['a SATA disk in a bay that calls itself removable', { tran: 'sata' }, internal('/dev/sdb')],
    [
      'the disk of a virtual machine',
      { name: 'vda', path: '/dev/vda', rm: false, tran: 'virtio' },
      internal('/dev/vda'),
    ],
    ['a disk of unknown kind', { rm: false, tran: null }, internal('/dev/sdb')],
  ])('is rejected as built in: %s', (_, device, message) => {
    expect(check(device)).toBe(message);
  });

  it('is rejected as built in when it is soldered memory or a card of unknown type', () => {
    expect(check(mmc, 'MMC')).toBe(internal('/dev/mmcblk0'));
    expect(check(mmc, null)).toBe(internal('/dev/mmcblk0'));
  });

  it('is rejected while any of it is mounted, with instructions to unmount it', () => {
    expect(check({ mountpoints: ['/mnt'] })).toBe(
      '/dev/sdb is mounted: /dev/sdb on /mnt. Unmount it first: umount /dev/sdb',
    );
    const children = [part({ mountpoints: ['/media/me/bootfs', '/mnt/a'] }), part({ name: 'sdb2', path: '/dev/sdb2' })];
    expect(check({ children })).toBe(
      '/dev/sdb is mounted: /dev/sdb1 on /media/me/bootfs, /dev/sdb1 on /mnt/a. Unmount it first: umount /dev/sdb1',
    );
    const opened = { ...part({ name: 'safe', path: '/dev/mapper/safe', type: 'crypt', mountpoints: ['/home'] }) };
    expect(check({ children: [part({ children: [opened] })] })).toContain('/dev/mapper/safe on /home');
  });

  it('is rejected when it is swap space or a member of a larger device', () => {
    expect(check({ children: [part({ mountpoints: ['[SWAP]'] })] })).toBe('/dev/sdb holds swap space that is in use');
    const raid = part({ name: 'md0', path: '/dev/md0', type: 'raid1' });
    expect(check({ children: [part({ children: [raid] })] })).toBe('/dev/sdb is in use by /dev/md0 (raid1)');
  });

  it('is rejected when it is a partition, naming its disk', () => {
    expect(check(part({}))).toBe('/dev/sdb1 is a partition. Specify the whole disk: /dev/sdb');
    expect(check({ type: 'rom', path: '/dev/sr0' })).toBe('/dev/sr0 is not a disk (rom)');
  });

  it('is rejected when it is an empty reader, a write-protected card, or too small', () => {
    expect(check({ size: 0 })).toBe('No card in /dev/sdb. Insert one and try again');
    expect(check({ ro: true })).toBe('/dev/sdb is write protected: look for the switch at the side of the card');
    expect(check({ size: IMAGE - 1 })).toBe('/dev/sdb is too small: it has 365 MB, the image needs 365 MB');
    expect(check({ size: 128_000_000 })).toBe('/dev/sdb is too small: it has 128 MB, the image needs 365 MB');
    expect(check({ size: IMAGE })).toBe('accepted');
  });

  it('has a human-readable size', () => {
    expect([formatByteSize(364_904_448), formatByteSize(31_914_983_424)]).toEqual(['365 MB', '31.9 GB']);
  });
});
