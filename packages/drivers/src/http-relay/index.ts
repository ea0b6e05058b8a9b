import * as z from 'zod';
import { defineDriver, lines } from '../definition/define-driver.ts';
import { createRecordByPartNameSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { lineRows } from '../definition/wiring.ts';
import {
  allowNetworkRelayFieldSchema,
  describeUncheckedRelay,
  networkRow,
  relayUserSchema,
} from '../network/relay-host.ts';

const path = z
  .string()
  .max(500)
  .regex(/^\/(?!\/)[\w.~!$&'()*+,;=:@%/?-]*$/, { error: 'must be a path that begins with /' });

const request = {
  method: z.enum(['GET', 'POST', 'PUT']).default('POST'),
  path,
  body: z.string().max(2_000).optional(),
  /** Content type of the body. */
  type: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+$/, { error: 'must be a content type, such as application/json' })
    .default('application/json'),
};

/** Any relay that is switched, and tells its state, over HTTP. */
const settings = z
  .strictObject({
    url: z
      .string()
      .max(300)
      .regex(/^https?:\/\/[A-Za-z0-9.:[\]-]+$/, { error: 'must be http:// or https:// and a host, without a path' }),
    allow_network_relay: allowNetworkRelayFieldSchema,
    authentication: z.enum(['basic', 'digest', 'bearer', 'none']).default('digest'),
    user: relayUserSchema,
    outputs: createRecordByPartNameSchema(
      z.strictObject({
        on: z.strictObject(request),
        off: z.strictObject(request),
        /** The response contains `on_text` while the relay is on. */
        state: z.strictObject({
          ...request,
          method: request.method.unwrap().default('GET'),
          on_text: z.string().min(1).max(200),
        }),
        wire: wireDescriptionSchema,
      }),
    ),
  })
  .check(({ value: { url, authentication }, issues }) => {
    if (URL.canParse(url)) {
      const isOpen = url.startsWith('http:') && (authentication === 'basic' || authentication === 'bearer');
      if (isOpen)
        issues.push({
          code: 'custom',
          input: authentication,
          path: ['authentication'],
          message: 'sends the password in clear text over http: use digest, or https',
        });
    } else issues.push({ code: 'custom', input: url, path: ['url'], message: 'is not an address' });
  });

type HttpRequest = z.output<typeof settings>['outputs'][string]['on'];

const requestOf = ({ method, path: at, body, type }: HttpRequest) => ({
  method,
  path: at,
  body: body === undefined ? undefined : { text: body, type },
});

export const httpRelay = defineDriver({
  name: 'http-relay',
  title: 'HTTP relay',
  settings,
  documentation: {
    products: 'relays with an HTTP interface',
    price: '€',
    interface: 'network',
    since: '0.1.0',
    verified: 'counterpart (lighttpd), simulated',
    fields:
      '`url`, `allow_network_relay`, `authentication` (`digest`, `basic`, `bearer`, `none`), `user`, `outputs` (`on`, `off`, `state`); see its [page](hardware/rpi-network-relays.md#how-they-are-switched)',
    offers: 'outputs',
  },
  parts: lines,
  wiring: ({ url, outputs }) => ({
    rows: [networkRow(new URL(url).hostname, 'relay')],
    boards: [
      { title: 'Switched', board: 'Relay', rows: lineRows('output', outputs, ({ on }) => on.path.slice(0, 30)) },
    ],
  }),
  doctor: ({ url }, { name }) => describeUncheckedRelay(name, url),
  open: async (bus, context) => {
    const [{ RelayHttpClient, relayAuthentication, openHttpRelays }, { createHttpRelayLink }] = await Promise.all([
      import('../network/http-relays.ts'),
      import('./link.ts'),
    ]);
    const client = new RelayHttpClient(bus.url, relayAuthentication(bus, context));
    const outputs = Object.entries(bus.outputs).map(([name, { on, off, state }]) => {
      const look = { request: requestOf(state), on_text: state.on_text };
      return [name, { on: requestOf(on), off: requestOf(off), state: look }] as const;
    });
    return openHttpRelays(createHttpRelayLink(client, Object.fromEntries(outputs)), Object.keys(bus.outputs), context);
  },
});
