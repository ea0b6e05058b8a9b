import * as z from 'zod';
import { dataRow, type WiringRow } from '../definition/wiring.ts';
import { createFindingFactory, type DoctorFinding } from '../host/finding.ts';

/** Host name or address of a device in the local network. */
export const networkHostSchema = z
  .string()
  .max(253)
  .regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.|$))+$|^[0-9a-f:]{2,39}$/i, {
    error: 'must be a host name or an address, without http:// and without a port',
  });

export const createTcpPortSchema = (defaultPort: number) => z.int().min(1).max(65_535).default(defaultPort);

/**
 * Relays in a network are off unless the profile allows them: who reaches the relay over the network can open the door
 * without the controller, and without the network the door does not open.
 */
export const allowNetworkRelayFieldSchema = z.literal(true, {
  error: 'must be true: who reaches this relay over the network can open the door. Read docs/hardware.md first',
});

/** The password is in the file `relay-<bus>.password` of the data folder, never in a profile. */
export const relayUserSchema = z
  .string()
  .regex(/^[^":\p{Cc}]{1,64}$/u, { error: 'must be 1 to 64 characters without quotes and colons' })
  .default('admin');

export const networkRow = (host: string, part: string): WiringRow => dataRow('network', `${part} at ${host}`);

export const describeUncheckedRelay = (name: string, relay: string): readonly DoctorFinding[] => [
  createFindingFactory('profile').note(`${name}: relays at ${relay} are not checked`),
];
