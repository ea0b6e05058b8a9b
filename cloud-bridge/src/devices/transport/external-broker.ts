import { hash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { everyUpFilter, parseTopic, type UpKind } from '@lintel/wire-protocol/mqtt/topics';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import type { DeviceTransport, MessageHandler } from './device-transport.ts';

const QOS = 1;
const PROBE_MS = 1000;
const GROUP = '$share/lintel-bridges';
/** Results are for whoever has asked: every bridge hears them. */
const resultKinds: readonly string[] = ['action-result', 'technician-answer', 'technician-live'] satisfies UpKind[];
const everyResult = resultKinds.map(kind => `lintel/v1/+/up/${kind}`);

/** One of several bridges, where the broker cannot share out messages: `?shard=2/3`. */
export interface Shard {
  readonly number: number;
  readonly of: number;
}

const parseShard = (url: URL): Shard | null => {
  const text = url.searchParams.get('shard');
  const [number, of] = (text ?? '').split('/').map(Number);
  if (text === null || number === undefined || of === undefined || !(number >= 1 && number <= of)) return null;
  return { number, of };
};

const isOurs = (shard: Shard | null, topic: string): boolean => {
  if (shard === null) return true;
  const parsed = parseTopic(topic);
  if (parsed === null || parsed.direction === 'organization') return false;
  const place = hash('sha256', parsed.device_id, 'buffer').readUInt32BE(0);
  return resultKinds.includes(parsed.kind) || place % shard.of === shard.number - 1;
};

/** Some brokers accept `$share` and deliver nothing: believed when a message has come through. */
const sharesReally = async (client: MqttClient): Promise<boolean> => {
  const topic = `lintel/v1/probe/${randomBytes(8).toString('hex')}`;
  const filter = `${GROUP}-probe/${topic}`;
  const arrived = new Promise<boolean>(resolve => {
    client.once('message', () => resolve(true));
  });
  try {
    await client.subscribeAsync(filter, { qos: QOS });
    await client.publishAsync(topic, 'probe', { qos: QOS });
    return await Promise.race([arrived, delay(PROBE_MS, false)]);
  } catch {
    return false;
  } finally {
    await client.unsubscribeAsync(filter).catch(() => undefined);
  }
};

export interface ExternalBrokerOptions {
  readonly url: string;
  readonly tls?: Pick<IClientOptions, 'ca' | 'cert' | 'key'>;
  readonly onError: (error: unknown) => void;
}

/** A broker that others run, clustered or not: the bridge is one of its clients. */
export class ExternalBroker implements DeviceTransport {
  readonly #client: MqttClient;
  readonly #shard: Shard | null;
  /** Whether the broker hands each message to one of the bridges only. */
  readonly isShared: boolean;

  private constructor(client: MqttClient, shard: Shard | null, isShared: boolean) {
    this.#client = client;
    this.#shard = shard;
    this.isShared = isShared;
  }

  static async connect({ url, tls, onError }: ExternalBrokerOptions): Promise<ExternalBroker> {
    const address = new URL(url);
    const shard = parseShard(address);
    address.search = '';
    const client = await connectAsync(address.href, {
      ...tls,
      clientId: `lintel-bridge-${randomBytes(6).toString('hex')}`,
      clean: true,
      protocolVersion: 4,
    });
    client.stream.setMaxListeners(0);
    client.on('error', onError);
    const isShared = shard === null && (await sharesReally(client));
    const broker = new ExternalBroker(client, shard, isShared);
    await client.subscribeAsync(isShared ? [`${GROUP}/${everyUpFilter}`, ...everyResult] : everyUpFilter, { qos: QOS });
    return broker;
  }

  async publish(topic: string, payload: Uint8Array): Promise<void> {
    await this.#client.publishAsync(topic, Buffer.from(payload), { qos: QOS });
  }

  onMessage(handler: MessageHandler): void {
    this.#client.on('message', (topic, payload) => {
      if (isOurs(this.#shard, topic)) handler(topic, payload);
    });
  }

  /** Its last will tells of a controller that goes, and its hello of one that comes. */
  onPresence(): void {}

  /** Not ours to cut: its certificate is revoked, and what it says is not believed any more. */
  sendAway(): void {}

  async close(): Promise<void> {
    await this.#client.endAsync();
  }
}
