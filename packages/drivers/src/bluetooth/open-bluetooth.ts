import { randomBytes } from 'node:crypto';
import {
  deriveRotatingControllerIdentifier,
  computeRotatingIdentifierPeriod,
} from '@lintel/wire-protocol/bluetooth/rotating-controller-identifier';
import type { BluetoothRadioWiring } from '../interfaces/wiring.ts';
import type { BluetoothSettings } from './settings.ts';
import type { OpenedRadio, BluetoothContext, DriverContext, BluetoothRadioContext } from '../definition/context.ts';

const SYSTEM_BUS = 'unix:path=/run/dbus/system_bus_socket';
const SIMULATED = 'simulated';

export interface OpenedBluetooth extends BluetoothRadioWiring {
  close(): Promise<void>;
}

/** Not awaited until it works: the door does not wait for the radio. */
const openBluezRadio = async (
  adapter: string | null,
  { now }: BluetoothContext,
  { identity, bluetoothKey, clock, log }: BluetoothRadioContext,
): Promise<OpenedRadio> => {
  const { BluezRadio } = await import('./bluez/bluez-radio.ts');
  const radio = new BluezRadio({
    busAddress: process.env['DBUS_SYSTEM_BUS_ADDRESS'] ?? SYSTEM_BUS,
    adapter,
    clock,
    log,
    randomBytes,
    identity,
    bluetoothKey,
    identifier: async () => {
      const [reader, key] = [identity(), bluetoothKey()];
      if (reader === null || key === null) return null;
      return deriveRotatingControllerIdentifier(key, reader.device_id, computeRotatingIdentifierPeriod(now()));
    },
  });
  void radio.start();
  return { radio, close: () => radio.close() };
};

/** Opens the radio of a profile; null without one. A missing radio is a fault, not an error. */
export const openBluetooth = async (
  settings: BluetoothSettings | undefined,
  context: DriverContext,
): Promise<OpenedBluetooth | null> => {
  const { bluetooth, phoneIdentity, loadSimulatedParts } = context;
  if (settings === undefined || bluetooth === undefined || phoneIdentity === undefined) return null;
  const { rssi_threshold, requires_rssi, round_trip_ms, adapter } = settings;
  const radioContext = { ...context, identity: phoneIdentity, bluetoothKey: bluetooth.key };
  const opened =
    adapter === SIMULATED
      ? await (await loadSimulatedParts?.())?.openRadio(radioContext)
      : await openBluezRadio(adapter ?? null, bluetooth, radioContext);
  return opened === undefined ? null : { ...opened, limits: { rssi_threshold, requires_rssi, round_trip_ms } };
};
