const CONNECT = 0x10;
const SUBSCRIBE = 0x82;
const PROTOCOL_LEVEL = 4;
const CLEAN_SESSION = 0x02;
const WILL_QOS_1 = 0x0c;
const USER_AND_PASSWORD = 0xc0;

export const PING_PACKET = Buffer.from([0xc0, 0]);

/** The message that the broker publishes when the connection breaks. */
export interface MqttLastWill {
  readonly topic: string;
  readonly payload: Uint8Array;
}

export interface ConnectPacketFields {
  readonly clientId: string;
  /** Sent with the client id as user name. */
  readonly password: string | null;
  readonly will: MqttLastWill | null;
  readonly keepAliveSeconds: number;
}

const lengthPrefixed = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);

const text = (value: string): Buffer => lengthPrefixed(Buffer.from(value));

const packet = (first: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let rest = body.length;
  do {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Buffer.concat([Buffer.from([first, ...length]), body]);
};

export const encodeConnectPacket = ({ clientId, password, will, keepAliveSeconds }: ConnectPacketFields): Buffer => {
  const flags = CLEAN_SESSION | (will === null ? 0 : WILL_QOS_1) | (password === null ? 0 : USER_AND_PASSWORD);
  const head = Buffer.from([PROTOCOL_LEVEL, flags, keepAliveSeconds >> 8, keepAliveSeconds & 0xff]);
  const willFields = will === null ? [] : [text(will.topic), lengthPrefixed(will.payload)];
  const login = password === null ? [] : [text(clientId), text(password)];
  return packet(CONNECT, text('MQTT'), head, text(clientId), ...willFields, ...login);
};

export const encodeSubscribePacket = (id: number, filters: readonly string[]): Buffer => {
  const subscriptions = filters.flatMap(filter => [text(filter), Buffer.from([1])]);
  return packet(SUBSCRIBE, Buffer.from([id >> 8, id & 0xff]), ...subscriptions);
};
