import type { BluetoothLink } from '@lintel/member-sdk';
import { vi } from 'vitest';
import type { FoundController } from './guest/bluez-central.ts';
import type { GuestMachine } from './guest-machine.ts';

const WAIT = { timeout: 300_000, interval: 200 };

/** Scans until the guest has received an advertisement of the controller, which it may have changed or not sent yet. */
export const scanForController = async (machine: GuestMachine): Promise<FoundController> => {
  // Rejected while bluetoothd starts.
  await vi.waitFor(() => machine.order('startScan', {}), WAIT);
  const found = await vi.waitUntil(() => machine.order('findController', {}), WAIT);
  await machine.order('stopScan', {});
  return found;
};

export interface PhoneLink extends BluetoothLink {
  close(): Promise<void>;
}

/** A connection of the second adapter to the controller, through BlueZ in the guest. */
export const connectToController = async (machine: GuestMachine, { path }: FoundController): Promise<PhoneLink> => {
  await vi.waitFor(() => machine.order('connect', { device: path }), WAIT);
  const mtu = await vi.waitUntil(() => machine.order('mtu', { device: path }), WAIT);
  return {
    mtu,
    write: fragment => machine.order('write', { device: path, hex: Buffer.from(fragment).toString('hex') }),
    read: async () => Buffer.from(await machine.order('read', { device: path }), 'hex'),
    close: () => machine.order('disconnect', { device: path }),
  };
};
