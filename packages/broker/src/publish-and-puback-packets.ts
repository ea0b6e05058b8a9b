import type { RawPacket } from './packet-splitter.ts';

const PUBLISH = 3;
export const PUBACK_PACKET_TYPE = 4;

export interface ParsedPublishPacket {
  readonly topic: string;
  readonly payload: Buffer;
  /** Packet id; null for QoS 0, which is not acknowledged. */
  readonly id: number | null;
}

/** Flags in the first byte. */
const QOS = 0b0110;
const RETAIN = 0b0001;

/** QoS 0 or 1 without RETAIN. aedes handles all others. */
export const isPlainPublishPacket = (first: number): boolean =>
  first >> 4 === PUBLISH && (first & QOS) < 0b0100 && (first & RETAIN) === 0;

/** Wildcards and U+0000 [MQTT-3.3.2-2, 4.7.3-2], and the replacement character for invalid UTF-8. */
const invalidInTopics = ['+', '#', '\0', '\uFFFD'];

const isTopic = (topic: string): boolean =>
  topic !== '' && !invalidInTopics.some(character => topic.includes(character));

/** Null for a malformed packet. */
export const parsePublishPacket = ({ first, start, bytes }: RawPacket): ParsedPublishPacket | null => {
  if (bytes.length < start + 2) return null;
  const topicEnd = start + 2 + bytes.readUInt16BE(start);
  const payloadAt = (first & QOS) === 0 ? topicEnd : topicEnd + 2;
  if (bytes.length < payloadAt) return null;
  const topic = bytes.toString('utf8', start + 2, topicEnd);
  const id = payloadAt === topicEnd ? null : bytes.readUInt16BE(topicEnd);
  return id === 0 || !isTopic(topic) ? null : { topic, payload: bytes.subarray(payloadAt), id };
};

export const encodePuback = (id: number): Buffer => Buffer.from([PUBACK_PACKET_TYPE << 4, 2, id >> 8, id & 0xff]);

const lengthBytes = (value: number): number[] => {
  const digits: number[] = [];
  let rest = value;
  do {
    digits.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>= 7;
  } while (rest > 0);
  return digits;
};

/** Everything before the packet id, which is the same for all receivers. */
export const encodePublishHeader = (topic: string, payloadLength: number, qos: 0 | 1): Buffer => {
  const topicBytes = Buffer.byteLength(topic);
  const length = lengthBytes(2 + topicBytes + (qos === 0 ? 0 : 2) + payloadLength);
  const head = Buffer.allocUnsafe(1 + length.length + 2 + topicBytes);
  head[0] = (PUBLISH << 4) | (qos << 1);
  head.set(length, 1);
  head.writeUInt16BE(topicBytes, 1 + length.length);
  head.write(topic, 3 + length.length, 'utf8');
  return head;
};

/** `id` is null for QoS 0. */
export const encodePublishPacket = (head: Buffer, id: number | null, payload: Uint8Array): Buffer => {
  const idLength = id === null ? 0 : 2;
  const packet = Buffer.allocUnsafe(head.length + idLength + payload.length);
  head.copy(packet);
  if (id !== null) packet.writeUInt16BE(id, head.length);
  packet.set(payload, head.length + idLength);
  return packet;
};
