import * as z from 'zod';
import { createMillisecondsSchema } from '../definition/fields.ts';
import { createFindingFactory, type DoctorFinding } from '../host/finding.ts';
import type { HostSystem } from '../host/host-system.ts';

/** Received signal strength in dBm: about -50 at one meter, -80 at ten. */
export const rssiThresholdSchema = z.int().min(-100).max(-20);

/** The radio is used through BlueZ. */
export const bluetoothRadioSchema = z.strictObject({
  /** Default: the first adapter that can advertise. `simulated`: a radio without hardware. */
  adapter: z
    .string()
    .regex(/^(?:hci\d{1,2}|simulated)$/, { error: 'must be the name of an adapter, such as hci0, or simulated' })
    .optional(),
  /** Phones with a weaker signal are too far away; null: any distance. A door may have its own threshold. */
  rssi_threshold: rssiThresholdSchema.nullable().default(-75),
  /** Refuses phones that cannot measure the signal, as most browsers. */
  requires_rssi: z.boolean().default(false),
  /** A proof that takes longer may have been relayed. */
  round_trip_ms: createMillisecondsSchema(100, 10_000).default(1_000),
});
export type BluetoothSettings = z.output<typeof bluetoothRadioSchema>;

const SYSTEM_BUS = '/run/dbus/system_bus_socket';
const BLUETOOTH_SERVICES = ['/usr/libexec/bluetooth/bluetoothd', '/usr/lib/bluetooth/bluetoothd'];

export const checkBluetooth = (
  bluetooth: BluetoothSettings | undefined,
  machine: HostSystem,
): readonly DoctorFinding[] => {
  const { ok, bad } = createFindingFactory('profile');
  if (bluetooth === undefined || bluetooth.adapter === 'simulated') return [];
  if (BLUETOOTH_SERVICES.every(path => machine.resolve(path) === null))
    return [bad('bluetooth: BlueZ is not installed', 'sudo apt install bluez')];
  if (machine.access(SYSTEM_BUS) === 'absent')
    return [bad('bluetooth: the system message bus is not running', 'sudo systemctl start dbus')];
  const adapters = machine.list('/sys/class/bluetooth').filter(name => /^hci\d+$/.test(name));
  const wanted = bluetooth.adapter ?? adapters[0];
  if (wanted === undefined || !adapters.includes(wanted))
    return [
      bad(
        `bluetooth: no adapter${wanted === undefined ? '' : ` ${wanted}`}`,
        'Plug in a USB adapter, or remove dtoverlay=disable-bt from /boot/firmware/config.txt. bluetoothctl list shows adapters',
      ),
    ];
  return [ok(`bluetooth: ${wanted}`)];
};
