import { describe, expect, it } from 'vitest';
import { isModuleKept, isModuleNeededEarly, plainModule, withDependencies } from './kernel-modules.ts';

const kept = (path: string) => isModuleKept(`kernel/${path}`, 'arm64');

describe('kernel modules of a controller image', () => {
  it.each([
    'drivers/usb/serial/ftdi_sio.ko.xz',
    'drivers/usb/class/cdc-acm.ko.xz',
    'drivers/hid/usbhid/usbhid.ko.xz',
    'drivers/net/usb/lan78xx.ko.xz',
    'drivers/net/ethernet/broadcom/genet/genet.ko.xz',
    'drivers/net/wireless/broadcom/brcm80211/brcmfmac/brcmfmac.ko.xz',
    'drivers/char/virtio_console.ko.xz',
    'drivers/watchdog/bcm2835_wdt.ko.xz',
    'fs/squashfs/squashfs.ko.xz',
    'fs/ext4/ext4.ko.xz',
    'fs/fat/vfat.ko.xz',
  ])('include %s', path => {
    expect(kept(path)).toBe(true);
  });

  it.each([
    'sound/core/snd.ko.xz',
    'drivers/nfc/pn533/pn533_usb.ko.xz',
    'drivers/gpu/drm/amd/amdgpu/amdgpu.ko.xz',
    'fs/btrfs/btrfs.ko.xz',
    'drivers/net/wireless/intel/iwlwifi/iwlwifi.ko.xz',
    'drivers/infiniband/core/ib_core.ko.xz',
  ])('exclude %s', path => {
    expect(kept(path)).toBe(false);
  });

  it.each([
    'drivers/mmc/host/sdhci-iproc.ko.xz',
    'drivers/mmc/host/bcm2835.ko.xz',
    'drivers/regulator/gpio-regulator.ko.xz',
    'drivers/block/virtio_blk.ko.xz',
    'fs/squashfs/squashfs.ko.xz',
    'fs/overlayfs/overlay.ko.xz',
  ])('are available before the root file system is mounted: %s', path => {
    expect(isModuleNeededEarly(`kernel/${path}`)).toBe(true);
    expect(kept(path)).toBe(true);
  });

  it('include all dependencies, indirect and circular ones too', () => {
    const index = 'a.ko.xz: b.ko.xz c.ko.xz\nb.ko.xz: d.ko.xz\nc.ko.xz:\nd.ko.xz: a.ko.xz\ne.ko.xz:\n';
    expect([...withDependencies(['a.ko.xz'], index)].toSorted()).toEqual(['a.ko.xz', 'b.ko.xz', 'c.ko.xz', 'd.ko.xz']);
    expect([...withDependencies(['e.ko.xz'], index)]).toEqual(['e.ko.xz']);
  });

  it('are named without their file extension', () => {
    expect(['x/ext4.ko.xz', 'ext4.ko.zst', 'ext4.ko'].map(plainModule)).toEqual(['x/ext4.ko', 'ext4.ko', 'ext4.ko']);
  });
});
