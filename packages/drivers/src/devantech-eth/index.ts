import * as z from 'zod';
import { channelsOf, defineDriver, type ExclusiveResource, lines } from '../definition/define-driver.ts';
import { createRecordByPartNameSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { lineRows } from '../definition/wiring.ts';
import {
  allowNetworkRelayFieldSchema,
  createTcpPortSchema,
  describeUncheckedRelay,
  networkHostSchema,
  networkRow,
} from '../network/relay-host.ts';

/** The time between two questions for the state of the relays. */
const LOOK_MS = 1_000;

/** Two buses would take turns to switch off what the other has switched on. */
const boardAddress: ExclusiveResource<string> = {
  overlaps: (a, b) => a === b,
  describe: (used, user) => `${used} is already used by ${user}`,
};

/** Relay boards of Devantech in the network: ETH002, ETH008, ETH8020. They time pulses themselves. */
export const devantechEth = defineDriver({
  name: 'devantech-eth',
  title: 'Devantech ETH relays',
  settings: z.strictObject({
    host: networkHostSchema,
    tcp_port: createTcpPortSchema(17_494),
    allow_network_relay: allowNetworkRelayFieldSchema,
    /** The password is in the file `relay-<bus>.password` of the data folder, never in a profile. */
    authentication: z.enum(['password', 'none']).default('password'),
    outputs: createRecordByPartNameSchema(
      z.strictObject({ relay: z.int().min(1).max(20), wire: wireDescriptionSchema }),
    ),
  }),
  documentation: {
    products: 'ETH002, ETH008 and ETH8020 relay boards of Devantech (Robot Electronics)',
    price: '€€',
    interface: 'network',
    since: '0.1.0',
    verified: 'simulated',
    fields:
      '`host`, `tcp_port` (17494), `allow_network_relay`, `authentication` (`password`, in a file as on [this page](hardware/rpi-network-relays.md#set-up) and sent unencrypted; or `none`), `outputs` (`relay`); the board times pulses of up to 25.5 s; see [Relays in the network](#relays-in-the-network)',
    offers: 'outputs',
  },
  parts: lines,
  exclusive: ({ host, tcp_port }) => [
    { resource: boardAddress, used: `${host.toLowerCase()}:${tcp_port}`, at: ['host'] },
  ],
  channels: ({ outputs }) => channelsOf('outputs', outputs, 'relay'),
  wiring: ({ host, outputs }) => ({
    rows: [networkRow(host, 'relay board')],
    boards: [
      { title: 'Switched', board: 'ETH board', rows: lineRows('output', outputs, ({ relay }) => `relay ${relay}`) },
    ],
  }),
  doctor: ({ host }, { name }) => describeUncheckedRelay(name, `${host} in the network`),
  open: async ({ host, tcp_port, authentication, outputs }, { clock, dataDir, name }) => {
    const [{ createDevantechLink, DevantechBoard }, { ConfirmedRelays }, { readRelayPassword }] = await Promise.all([
      import('./board.ts'),
      import('../relay-boards/confirmed-relays.ts'),
      import('../network/http-relays.ts'),
    ]);
    const password = authentication === 'none' ? null : () => readRelayPassword(dataDir, name);
    const board = new DevantechBoard({ host, port: tcp_port, password, clock });
    const relays = Object.fromEntries(Object.entries(outputs).map(([output, { relay }]) => [output, relay]));
    const link = createDevantechLink(board, relays);
    const confirmed = new ConfirmedRelays({ clock, outputs: Object.keys(relays), link, look_ms: LOOK_MS });
    return {
      outputs: confirmed,
      close: async () => {
        await confirmed.close();
        board.close();
      },
    };
  },
});
