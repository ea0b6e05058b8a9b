import { failed, problem, type Result } from '@lintel/access-core/result';
import { parseWith } from '../schema-parts/parse-with.ts';
import { parseJsonBytes } from '../encoding/json-bytes.ts';
import { PROTOCOL_VERSION } from './message-fields.ts';
import { type Message, type MessageKind, messages } from './message-table.ts';

/** Of the JSON itself, after decompression. */
export const LARGEST_MESSAGE = 4 * 1024 * 1024;

const utf8 = new TextEncoder();
const versionOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;

/** Throws a RangeError for a message that no receiver would take: it must be sent in smaller ones. */
export const encodeMessage = <K extends MessageKind>(kind: K, message: Message<K>): Uint8Array => {
  const bytes = utf8.encode(JSON.stringify(message));
  if (bytes.length > LARGEST_MESSAGE) throw new RangeError(`a message ${kind} of ${bytes.length} bytes is too large`);
  return bytes;
};

/** What cannot be read comes back as problems; nothing that a sender does makes this throw. */
export const decodeMessage = <K extends MessageKind>(kind: K, bytes: Uint8Array): Result<Message<K>> => {
  if (bytes.length > LARGEST_MESSAGE) {
    return failed([problem('', 'too_large', `must be at most ${LARGEST_MESSAGE} bytes`)]);
  }
  const json = parseJsonBytes(bytes);
  if (!json.ok) return json;
  const spoken = versionOf(json.value);
  if (typeof spoken === 'number' && spoken !== PROTOCOL_VERSION) {
    return failed([problem('v', 'unsupported_version', `must be ${PROTOCOL_VERSION}`)]);
  }
  return parseWith(messages[kind].schema, json.value) as Result<Message<K>>;
};
