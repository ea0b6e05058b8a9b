import type { Architecture } from './build-settings.ts';

const PLAIN = /\.ko(\.(xz|zst|gz))?$/;

/** `kernel/fs/ext4/ext4.ko.xz` is `kernel/fs/ext4/ext4.ko` without its wrapping. */
export const plainModule = (path: string): string => path.replace(PLAIN, '.ko');

/** What a controller never has: it only makes the image larger. Kept are keyboards, serial adapters, card readers, networks. */
const LEFT_OUT: readonly RegExp[] = [
  /^kernel\/sound\//,
  /^kernel\/drivers\/(infiniband|isdn|media|staging|comedi|accel|target|fpga|atm|parport|pcmcia|iio|hid\/amd-sfh-hid)\//,
  /^kernel\/drivers\/gpu\/drm\/(amd|radeon|nouveau|i915|xe|gma500|msm|etnaviv|panfrost|lima|rockchip|sun4i|tegra|exynos|mediatek|meson|hisilicon|imx|ast|mgag200|vmwgfx|qxl|vboxvideo|xlnx|bridge|panel)\//,
  /^kernel\/drivers\/scsi\/(?!scsi_mod|sd_mod|scsi_common|uas|virtio_scsi|hv_storvsc)/,
  /^kernel\/fs\/(btrfs|xfs|ocfs2|gfs2|jfs|f2fs|nilfs2|ceph|afs|coda|smb|nfs|nfsd|orangefs|ubifs|jffs2|reiserfs|bcachefs|9p|erofs|hfs|hfsplus|befs|affs|ufs|minix|omfs|qnx4|qnx6|sysv|romfs|udf|dlm|lockd|ecryptfs)\//,
  /^kernel\/net\/(ceph|sctp|rds|tipc|dccp|9p|ax25|netrom|rose|atm|batman-adv|can|openvswitch|rxrpc|l2tp|mpls|nfc|mac802154|ieee802154|sunrpc|smc|vmw_vsock|xfrm|mptcp)\//,
  /^kernel\/drivers\/net\/(can|hamradio|arcnet|fddi|ieee802154|wan|wwan|fjes|hippi|thunderbolt|dsa)\//,
  /^kernel\/drivers\/nfc\//,
];

const CARDS_FOR_SERVERS =
  /^kernel\/drivers\/net\/ethernet\/(mellanox|chelsio|cavium|qlogic|emulex|brocade|netronome|pensando|huawei|hisilicon|marvell\/octeon|freescale|fungible|sfc|google|amazon|microsoft|broadcom\/bnx|intel\/(ice|i40e|fm10k|idpf|ixgbe))/;

/** A Raspberry Pi has one family of radios; other machines have none that they would need. */
const radios = (architecture: Architecture): RegExp =>
  architecture === 'arm64'
    ? /^kernel\/drivers\/net\/wireless\/(?!broadcom\/brcm80211|virtual)/
    : /^kernel\/drivers\/net\/wireless\/(?!virtual)/;

export const isModuleKept = (path: string, architecture: Architecture): boolean =>
  ![...LEFT_OUT, CARDS_FOR_SERVERS, radios(architecture)].some(pattern => pattern.test(path));

/** What stands between the boot program and the root: memory cards, USB, disks of machines real and virtual. */
const NEEDED_EARLY: readonly RegExp[] = [
  /^kernel\/fs\/(squashfs|overlayfs)\//,
  /^kernel\/drivers\/(mmc|virtio|mailbox|regulator|reset|pmdomain|nvme\/host)\//,
  /^kernel\/drivers\/block\/virtio_blk/,
  /^kernel\/drivers\/scsi\/(sd_mod|uas|virtio_scsi)/,
  /^kernel\/drivers\/ata\/(ahci|ata_piix|libahci)/,
  /^kernel\/drivers\/usb\/(storage\/(usb-storage|uas)|host\/(xhci|ehci|ohci)|dwc2|roles)/,
  /^kernel\/drivers\/usb\/host\//,
  /^kernel\/drivers\/(clk|firmware|soc|dma|phy|pci\/controller|gpio|pwm)\/.*(bcm|raspberrypi|brcm)/,
];

export const isModuleNeededEarly = (path: string): boolean => NEEDED_EARLY.some(pattern => pattern.test(path));

/** Everything that the named modules need, themselves included, as `modules.dep` tells it. */
export const withDependencies = (wanted: Iterable<string>, modulesDep: string): ReadonlySet<string> => {
  const needs = new Map(
    modulesDep
      .split('\n')
      .filter(line => line.includes(':'))
      .map(line => {
        const [module = '', rest = ''] = line.split(':');
        return [module, rest.trim().split(/\s+/).filter(Boolean)] as const;
      }),
  );
  const all = new Set<string>();
  const add = (module: string): void => {
    if (all.has(module)) return;
    all.add(module);
    for (const needed of needs.get(module) ?? []) add(needed);
  };
  for (const module of wanted) add(module);
  return all;
};
