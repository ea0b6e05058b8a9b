import type { SchemaComponents } from './schema-components.ts';
import { type JsonSchema, SCHEMA_REFERENCE_PREFIX, createSchemaReference } from './json-schema-type-and-references.ts';

const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } });

const header = (name: string, description: string, schema: JsonSchema) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const deliveryHeaders = [
  header('X-Service-Sig-SHA256', 'HMAC-SHA256 of the raw body in hexadecimal. The key is the text of the secret', {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
  }),
  header('webhook-id', 'Id of the delivery, the same for all attempts', { type: 'string' }),
  header('webhook-timestamp', 'Time of this attempt, in seconds since 1970', { type: 'string', pattern: '^[0-9]+$' }),
  header('webhook-signature', 'Standard Webhooks: "v1," and the Base64 HMAC-SHA256 of id.timestamp.body', {
    type: 'string',
  }),
];

const message = (
  type: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>> = {},
  required: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  description,
  properties: { type: { type: 'string', const: type, description: 'Kind of the message' }, ...properties },
  required: ['type', ...required],
});

const streamMessages: Readonly<Record<string, JsonSchema>> = {
  event: message(
    'event',
    'An event that matches the filters of the stream',
    {
      event: { ...createSchemaReference('event'), description: 'The event, with the expands of the stream' },
      note: { type: 'string', description: 'Why the event has no expands. Absent if it has them' },
    },
    ['event'],
  ),
  heartbeat: message('heartbeat', 'Shows that the connection is open while no event happens'),
  error: message(
    'error',
    'Why the bridge ends the stream',
    { error: { ...createSchemaReference('error'), description: 'The error, as in a response' } },
    ['error'],
  ),
};

const messageSchema = (components: SchemaComponents): JsonSchema => {
  const references = Object.entries(streamMessages).map(([type, schema]): [string, string] => {
    const { $ref = '' } = components.add(`event_stream_${type}`, schema);
    return [type, $ref];
  });
  return components.add('event_stream_message', {
    description: 'A message of the event stream. type tells its kind',
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(references) },
  });
};

/** What the bridge sends by itself: deliveries to webhooks, and messages of the event stream. */
export const createOpenApiEventMessages = (components: SchemaComponents): object => ({
  eventDelivery: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event, sent to the URL of a webhook',
      description:
        'Verify a signature of the raw body before you parse it. The body has the expands of the webhook. Any response other than 2xx within 10 seconds is a failure, which is retried for an hour.',
      tags: ['Webhooks'],
      security: [],
      parameters: deliveryHeaders,
      requestBody: { required: true, ...json({ $ref: `${SCHEMA_REFERENCE_PREFIX}event` }) },
      responses: { '2XX': { description: 'Received' }, '4XX': { description: 'Not accepted' } },
    },
  },
  eventStreamMessage: {
    post: {
      operationId: 'receiveEventStreamMessage',
      summary: 'A message of the event stream, a WebSocket at /events/stream',
      description:
        'Connect to /events/stream below the address of this API, with the filters and expand of GET /events, and since=<event id> to resume after that event. Send the token in the Authorization header, or as {"access_token": "..."} in the first message.',
      tags: ['Events'],
      security: [],
      requestBody: { required: true, ...json(messageSchema(components)) },
      responses: { '2XX': { description: 'A WebSocket message has no response' }, '4XX': { description: 'None' } },
    },
  },
});
