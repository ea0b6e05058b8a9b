import { randomBytes } from 'node:crypto';
import { deriveDoorIdentifier, doorIdentifierPeriod } from '@lintel/wire-protocol/bluetooth/door-identifier';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { BluetoothWiring } from '../ports/wiring.ts';
import type { HardwareContext } from './opened-bus.ts';

const SYSTEM_BUS = 'unix:path=/run/dbus/system_bus_socket';

export interface OpenedBluetooth extends BluetoothWiring {
  close(): Promise<void>;
}

/** Opens the radio of a profile; null without one. A missing radio is a fault, not an error. */
export const openBluetooth = async (
  { bluetooth: settings }: Profile,
  { bluetooth, phoneIdentity, clock, log }: HardwareContext,
): Promise<OpenedBluetooth | null> => {
  if (settings === undefined || bluetooth === undefined || phoneIdentity === undefined) return null;
  const { rssi_threshold, requires_rssi, round_trip_ms, adapter } = settings;
  const { BluezRadio } = await import('../bluetooth/bluez/bluez-radio.ts');
  const radio = new BluezRadio({
    busAddress: process.env['DBUS_SYSTEM_BUS_ADDRESS'] ?? SYSTEM_BUS,
    adapter: adapter ?? null,
    clock,
    log,
    randomBytes,
    identity: phoneIdentity,
    bluetoothKey: bluetooth.key,
    identifier: async () => {
      const [identity, key] = [phoneIdentity(), bluetooth.key()];
      if (identity === null || key === null) return null;
      return deriveDoorIdentifier(key, identity.device_id, doorIdentifierPeriod(bluetooth.now()));
    },
  });
  // Not awaited: the door does not wait for the radio.
  void radio.start();
  return { radio, limits: { rssi_threshold, requires_rssi, round_trip_ms }, close: () => radio.close() };
};
