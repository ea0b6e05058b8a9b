import { type DeviceFiles, readDeviceFileOrDefault, systemDeviceFiles } from '../device-files/device-files.ts';

const isRelay = (uevent: string): boolean => /^HID_ID=[0-9A-F]{4}:000016C0:000005DF$/m.test(uevent);

export interface HidRelayDevice {
  readonly path: string;
  /** The USB port, such as 1-1.2; null if it is not on USB. */
  readonly usb_path: string | null;
}

/** All USB relays with the ids 16c0:05df. */
export const listHidRelays = (tree: DeviceFiles = systemDeviceFiles): readonly HidRelayDevice[] =>
  readDeviceFileOrDefault(() => tree.list('/sys/class/hidraw'), [])
    .filter(name => isRelay(readDeviceFileOrDefault(() => tree.read(`/sys/class/hidraw/${name}/device/uevent`), '')))
    .map(name => {
      const folder = readDeviceFileOrDefault(() => tree.resolve(`/sys/class/hidraw/${name}/device`), '');
      return { path: `/dev/${name}`, usb_path: /\/(\d+-\d+(?:\.\d+)*):\d+\.\d+\//.exec(folder)?.[1] ?? null };
    });

/** Throws with a message for the installer. */
export const requireHidRelayPath = (usb_path: string | undefined, tree: DeviceFiles = systemDeviceFiles): string => {
  const found = listHidRelays(tree).filter(relay => usb_path === undefined || relay.usb_path === usb_path);
  const [only, ...others] = found;
  const wanted = usb_path === undefined ? '16c0:05df' : `16c0:05df at USB port ${usb_path}`;
  if (only === undefined) throw new Error(`No USB relay ${wanted} is plugged in`);
  if (others.length > 0) throw new Error(`${found.length} USB relays ${wanted} are plugged in: set usb_path`);
  return only.path;
};
