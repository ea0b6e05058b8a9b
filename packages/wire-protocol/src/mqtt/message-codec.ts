import { failed, createProblem, type Result } from '@lintel/access-core/result';
import { parseWithSchema } from '../schema-parts/parse-with-schema.ts';
import { parseJsonBytes } from '../encoding/parse-json-bytes.ts';
import { WIRE_PROTOCOL_VERSION } from './message-fields.ts';
import { type MqttMessageContent, type MqttMessageKind, mqttMessageDefinitions } from './message-definitions.ts';

/** Size of the JSON after decompression. */
export const MAX_MQTT_MESSAGE_BYTES = 4 * 1024 * 1024;

const utf8 = new TextEncoder();
const versionOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;

/** Throws a RangeError if the message exceeds the limit of the receivers: split it. */
export const encodeMqttMessage = <K extends MqttMessageKind>(kind: K, message: MqttMessageContent<K>): Uint8Array => {
  const bytes = utf8.encode(JSON.stringify(message));
  if (bytes.length > MAX_MQTT_MESSAGE_BYTES)
    throw new RangeError(`Message ${kind} of ${bytes.length} bytes is too large`);
  return bytes;
};

/** Returns problems for invalid messages; never throws on received bytes. */
export const decodeMqttMessage = <K extends MqttMessageKind>(
  kind: K,
  bytes: Uint8Array,
): Result<MqttMessageContent<K>> => {
  if (bytes.length > MAX_MQTT_MESSAGE_BYTES) {
    return failed([createProblem('', 'too_large', `must be at most ${MAX_MQTT_MESSAGE_BYTES} bytes`)]);
  }
  const json = parseJsonBytes(bytes);
  if (!json.ok) return json;
  const version = versionOf(json.value);
  if (typeof version === 'number' && version !== WIRE_PROTOCOL_VERSION) {
    return failed([createProblem('v', 'unsupported_version', `must be ${WIRE_PROTOCOL_VERSION}`)]);
  }
  return parseWithSchema(mqttMessageDefinitions[kind].schema, json.value) as Result<MqttMessageContent<K>>;
};
