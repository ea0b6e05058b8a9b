import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { imageSystemFilesFolder } from './system-files-folder.ts';

const matches = (list: string, path: string): boolean => {
  const call = ['-Eqf', join(imageSystemFilesFolder, 'modules', list)];
  return spawnSync('grep', call, { input: `kernel/${path}.ko.xz\n` }).status === 0;
};

const isRemoved = (path: string): boolean => matches('removed', path) && !matches('kept', path);

describe('kernel modules of an image', () => {
  it.each([
    'drivers/usb/serial/ftdi_sio',
    'drivers/usb/class/cdc-acm',
    'drivers/hid/usbhid/usbhid',
    'drivers/net/usb/lan78xx',
    'drivers/net/ethernet/broadcom/genet/genet',
    'drivers/net/wireless/broadcom/brcm80211/brcmfmac/brcmfmac',
    'drivers/char/virtio_console',
    'drivers/scsi/sd_mod',
    'drivers/watchdog/bcm2835_wdt',
    'fs/squashfs/squashfs',
    'fs/ext4/ext4',
    'fs/fat/vfat',
  ])('include %s', path => {
    expect(isRemoved(path)).toBe(false);
  });

  it.each([
    'sound/core/snd',
    'drivers/nfc/pn533/pn533_usb',
    'drivers/gpu/drm/amd/amdgpu/amdgpu',
    'drivers/scsi/hpsa',
    'fs/btrfs/btrfs',
    'drivers/net/wireless/intel/iwlwifi/iwlwifi',
    'drivers/infiniband/core/ib_core',
  ])('exclude %s', path => {
    expect(isRemoved(path)).toBe(true);
  });

  it.each([
    'drivers/mmc/host/sdhci-iproc',
    'drivers/mmc/host/bcm2835',
    'drivers/regulator/gpio-regulator',
    'drivers/block/virtio_blk',
    'drivers/usb/host/xhci-pci',
    'fs/squashfs/squashfs',
    'fs/overlayfs/overlay',
  ])('are in the initramfs when they lead to the root: %s', path => {
    expect(matches('early', path)).toBe(true);
  });

  it('of the root only are not in the initramfs', () => {
    expect(matches('early', 'drivers/usb/serial/ftdi_sio')).toBe(false);
  });
});

describe('make-partitions', () => {
  it('is a script that bash can parse', () => {
    const input = readFileSync(join(imageSystemFilesFolder, 'make-partitions'));
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});
