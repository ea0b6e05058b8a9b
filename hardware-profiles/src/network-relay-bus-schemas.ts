import * as z from 'zod';
import { createRecordByPartNameSchema, wireDescriptionSchema } from './name-id-and-duration-schemas.ts';
import { allowNetworkRelayFieldSchema, networkHostSchema, createTcpPortSchema } from './network-relay-field-schemas.ts';

/** The password is in the file `relay-<bus>.password` of the data folder, never in a profile. */
const user = z
  .string()
  .regex(/^[^":\p{Cc}]{1,64}$/u, { error: 'must be 1 to 64 characters without quotes and colons' })
  .default('admin');

/** Relays of Shelly, generation 2 and later, through their RPC over HTTP. */
export const shellyBusSchema = z.strictObject({
  driver: z.literal('shelly'),
  host: networkHostSchema,
  tcp_port: createTcpPortSchema(80),
  allow_network_relay: allowNetworkRelayFieldSchema,
  authentication: z.enum(['digest', 'none']).default('digest'),
  user,
  outputs: createRecordByPartNameSchema(
    z.strictObject({ switch: z.int().min(0).max(63), wire: wireDescriptionSchema }),
  ),
});

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
export const httpRelayBusSchema = z
  .strictObject({
    driver: z.literal('http-relay'),
    url: z
      .string()
      .max(300)
      .regex(/^https?:\/\/[A-Za-z0-9.:[\]-]+$/, { error: 'must be http:// or https:// and a host, without a path' }),
    allow_network_relay: allowNetworkRelayFieldSchema,
    authentication: z.enum(['basic', 'digest', 'bearer', 'none']).default('digest'),
    user,
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
