import type { HidFeatureReports } from '@lintel/service/linux/hidraw';
import * as z from 'zod';
import type { BusContext, OpenedBus } from '../definition/context.ts';
import { channelsOf, defineDriver, type ExclusiveResource, lines } from '../definition/define-driver.ts';
import { createRecordByPartNameSchema, usbPathSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { lineRows, plugRow } from '../definition/wiring.ts';
import { type DeviceFiles, readDeviceFileOrDefault, systemDeviceFiles } from '../device-files/device-files.ts';
import { createFindingFactory, describeDeviceAccessFix } from '../host/finding.ts';
import type { HostSystem } from '../host/host-system.ts';

/** USB relays with the ids 16c0:05df. `usb_path` tells several of them apart; `serial` is checked. */
const settings = z.strictObject({
  usb_path: usbPathSchema,
  serial: z
    .string()
    .regex(/^[!-~]{5}$/, { error: 'must have five characters' })
    .optional(),
  outputs: createRecordByPartNameSchema(z.strictObject({ relay: z.int().min(1).max(8), wire: wireDescriptionSchema })),
});

/** Without a USB port, a relay matches any relay of its kind. */
const hidRelayDevice: ExclusiveResource<string | undefined> = {
  overlaps: (a, b) => (a ?? b) === (b ?? a),
  describe: (_, user) => `may be the same USB relay as that of ${user}: set usb_path for both`,
};

const isRelay = (uevent: string): boolean => /^HID_ID=[0-9A-F]{4}:000016C0:000005DF$/m.test(uevent);

interface HidRelayDevice {
  readonly path: string;
  /** The USB port, such as 1-1.2; null if it is not on USB. */
  readonly usb_path: string | null;
}

/** All USB relays with the ids 16c0:05df. */
const listHidRelays = (tree: DeviceFiles = systemDeviceFiles): readonly HidRelayDevice[] =>
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

const HID_RELAY_RULE =
  'SUBSYSTEM=="hidraw", ATTRS{idVendor}=="16c0", ATTRS{idProduct}=="05df", GROUP="dialout", MODE="0660"';

/** Without a rule of udev, only root can open the relay. */
const describeHidRelayFix = (machine: HostSystem, path: string): string => {
  const group = machine.groupOf(path);
  if (group !== null && group !== 0) return describeDeviceAccessFix(machine, path, 'dialout');
  return `echo '${HID_RELAY_RULE}' | sudo tee /etc/udev/rules.d/70-lintel-relay.rules, sudo udevadm control --reload, plug the relay in again; ${describeDeviceAccessFix(machine, path, 'dialout')}`;
};

const filesOf = (machine: HostSystem): DeviceFiles => ({
  list: folder => machine.list(folder),
  read: file => machine.read(file) ?? '',
  resolve: path => machine.resolve(path) ?? '',
});

export const openHidRelay = async (
  { usb_path, serial, outputs }: z.output<typeof settings>,
  { clock }: BusContext,
  opened?: HidFeatureReports,
): Promise<OpenedBus> => {
  const [{ createHidRelayLink }, { ConfirmedRelays }, { openHidFeatureReports }] = await Promise.all([
    import('./board.ts'),
    import('../relay-boards/confirmed-relays.ts'),
    import('@lintel/service/linux/hidraw'),
  ]);
  const reports = opened ?? openHidFeatureReports(() => requireHidRelayPath(usb_path));
  const relays = Object.fromEntries(Object.entries(outputs).map(([name, { relay }]) => [name, relay]));
  const link = createHidRelayLink({ reports, outputs: relays, serial });
  const board = new ConfirmedRelays({ clock, outputs: Object.keys(relays), link });
  return { outputs: board, close: () => board.close() };
};

export const hidRelay = defineDriver({
  name: 'hid-relay',
  title: 'USB relays',
  settings,
  documentation: {
    products: 'USB relays with the ids 16c0:05df',
    price: '€',
    interface: 'USB, hidraw',
    since: '0.1.0',
    verified: 'kernel (uhid), counterpart (usbrelay), recorded',
    fields: '`usb_path`, `serial`, `outputs` (`relay`); see its [page](hardware/usb-hid-relay.md)',
    offers: 'outputs',
  },
  parts: lines,
  exclusive: ({ usb_path }) => [{ resource: hidRelayDevice, used: usb_path, at: [] }],
  channels: ({ outputs }) => channelsOf('outputs', outputs, 'relay'),
  wiring: ({ outputs }) => ({
    rows: [plugRow('USB 16c0:05df', 'relay board')],
    boards: [
      { title: 'Switched', board: 'Relay board', rows: lineRows('output', outputs, ({ relay }) => `relay ${relay}`) },
    ],
  }),
  doctor: ({ usb_path }, { name, machine }) => {
    const { ok, bad } = createFindingFactory('profile');
    try {
      const path = requireHidRelayPath(usb_path, filesOf(machine));
      if (machine.access(path) === 'yes') return [ok(`${name}: ${path}`)];
      return [bad(`${name}: ${path} cannot be opened`, describeHidRelayFix(machine, path))];
    } catch (error) {
      return [bad(`${name}: ${(error as Error).message}`, 'Plug it in. lsusb lists USB devices')];
    }
  },
  open: (bus, context) => openHidRelay(bus, context),
});
