import * as z from 'zod';
import { channelsOf, defineDriver, lines } from '../definition/define-driver.ts';
import { createRecordByPartNameSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { lineRows } from '../definition/wiring.ts';
import {
  allowNetworkRelayFieldSchema,
  createTcpPortSchema,
  describeUncheckedRelay,
  networkHostSchema,
  networkRow,
  relayUserSchema,
} from '../network/relay-host.ts';

/** Relays of Shelly, generation 2 and later, through their RPC over HTTP. */
export const shelly = defineDriver({
  name: 'shelly',
  title: 'Shelly relay',
  settings: z.strictObject({
    host: networkHostSchema,
    tcp_port: createTcpPortSchema(80),
    allow_network_relay: allowNetworkRelayFieldSchema,
    authentication: z.enum(['digest', 'none']).default('digest'),
    user: relayUserSchema,
    outputs: createRecordByPartNameSchema(
      z.strictObject({ switch: z.int().min(0).max(63), wire: wireDescriptionSchema }),
    ),
  }),
  documentation: {
    products: 'Shelly relays of generation 2 and later',
    price: '€',
    interface: 'network',
    since: '0.1.0',
    verified:
      'counterpart (lighttpd for digest authentication), simulated (the relay is also switched by node-red-contrib-shelly and curl)',
    fields:
      '`host`, `tcp_port` (80), `allow_network_relay`, `authentication` (`digest`, `none`), `outputs` (`switch`); see [Relays in the network](#relays-in-the-network)',
    offers: 'outputs',
  },
  parts: lines,
  channels: ({ outputs }) => channelsOf('outputs', outputs, 'switch'),
  wiring: ({ host, outputs }) => ({
    rows: [networkRow(host, 'relay')],
    boards: [
      {
        title: 'Switched',
        board: 'Shelly relay',
        rows: lineRows('output', outputs, output => `switch ${output.switch}`),
      },
    ],
  }),
  doctor: ({ host }, { name }) => describeUncheckedRelay(name, `${host} in the network`),
  open: async (bus, context) => {
    const [{ RelayHttpClient, relayAuthentication, openHttpRelays }, { createShellyLink, ShellyRpcClient }] =
      await Promise.all([import('../network/http-relays.ts'), import('./link.ts')]);
    const client = new RelayHttpClient(`http://${bus.host}:${bus.tcp_port}`, relayAuthentication(bus, context));
    const switches = Object.fromEntries(Object.entries(bus.outputs).map(([name, output]) => [name, output.switch]));
    return openHttpRelays(createShellyLink(new ShellyRpcClient(client), switches), Object.keys(switches), context);
  },
});
