/* Encodes MQTT 3.1.1 packets without an MQTT library. */

const lengthOf = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...lengthOf(value >> 7)];

const packet = (first: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([first, ...lengthOf(body.length)]), body]);

const twoBytes = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([twoBytes(bytes.length), bytes]);
};

interface Login {
  readonly clientId: string;
  readonly username: string | null;
  readonly password: string | null;
}

const CLEAN = 0x02;
const WITH_LOGIN = 0xc0;

export const connectPacket = ({ clientId, username, password }: Login): Buffer => {
  const login = username === null || password === null ? [] : [text(username), text(password)];
  const flags = CLEAN | (login.length > 0 ? WITH_LOGIN : 0);
  return packet(0x10, Buffer.concat([text('MQTT'), Buffer.from([4, flags, 0, 0]), text(clientId), ...login]));
};

export const subscribePacket = (filter: string): Buffer =>
  packet(0x82, Buffer.concat([twoBytes(1), text(filter), Buffer.from([1])]));

/** QoS 1 packets with packet ids from 1. */
export const publishPackets = (topic: string, payload: Buffer, count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => packet(0x32, Buffer.concat([text(topic), twoBytes(index + 1), payload])));

/** Calls `take` for each complete packet, with the offset of its body. Returns the offset of the incomplete rest. */
export const forEachPacket = (bytes: Buffer, take: (type: number, bytes: Buffer, start: number) => void): number => {
  let at = 0;
  for (;;) {
    let length = 0;
    let start = at + 1;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[start++];
      if (byte === undefined) return at;
      length += (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (start + length > bytes.length) return at;
    take(bytes[at]! >> 4, bytes, start);
    at = start + length;
  }
};
