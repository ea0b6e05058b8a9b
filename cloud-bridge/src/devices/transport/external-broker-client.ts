import { hash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates } from 'node:tls';
import { FIRST_RECONNECT_MS, superviseMqttClient } from '@lintel/device-link/connection/supervise-client';
import { allUplinksFilter, parseMqttTopic, type UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import { formatConnectionError, OutageLog } from '@lintel/service/connections/outage-log';
import type { Log } from '@lintel/service/log-function-type';
import { connect, type MqttClient } from 'mqtt';
import type { DeviceTransport, DeviceMessageHandler } from './device-transport-interface.ts';

const QOS = 1;
const PROBE_MS = 1000;
const SHARE_GROUP = '$share/lintel-bridges';
/** Every bridge subscribes to results, because only the bridge that sent the request can use them. */
const resultKinds: readonly string[] = [
  'action-result',
  'technician-answer',
  'technician-live',
] satisfies UplinkMessageKind[];
const resultFilters = resultKinds.map(kind => `lintel/v1/+/up/${kind}`);

/** The share of this bridge if the broker does not support shared subscriptions: `?shard=2/3`. */
export interface BridgeShard {
  readonly number: number;
  readonly count: number;
}

const parseShard = (url: URL): BridgeShard | null => {
  const text = url.searchParams.get('shard');
  const [number, count] = (text ?? '').split('/').map(Number);
  if (text === null || number === undefined || count === undefined || !(number >= 1 && number <= count)) return null;
  return { number, count };
};

const isForThisBridge = (shard: BridgeShard | null, topic: string): boolean => {
  if (shard === null) return true;
  const parsed = parseMqttTopic(topic);
  if (parsed === null || parsed.direction === 'organization') return false;
  const deviceHash = hash('sha256', parsed.device_id, 'buffer').readUInt32BE(0);
  return resultKinds.includes(parsed.kind) || deviceHash % shard.count === shard.number - 1;
};

/** Sends a probe message, because some brokers accept a `$share` subscription and deliver nothing. */
const supportsSharedSubscriptions = async (client: MqttClient): Promise<boolean> => {
  const topic = `lintel/v1/probe/${randomBytes(8).toString('hex')}`;
  const filter = `${SHARE_GROUP}-probe/${topic}`;
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

export interface ExternalBrokerClientOptions {
  /** May contain credentials, which do not appear in errors and logs. */
  readonly url: string;
  /** PEM certificates of authorities that may have issued the broker's certificate, besides those of the system. */
  readonly authorities: readonly string[];
  readonly log: Log;
}

/** The broker cannot be reached at the start. */
export class BrokerUnavailableError extends Error {
  override readonly name = 'BrokerUnavailableError';
}

const firstConnection = (client: MqttClient): Promise<void> =>
  new Promise((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('The connection was closed')));
  });

/** Client of an external MQTT broker. */
export class ExternalBrokerClient implements DeviceTransport {
  readonly #client: MqttClient;
  readonly #shard: BridgeShard | null;
  /** Whether the broker delivers each message to only one of the bridges. */
  readonly isShared: boolean;

  private constructor(client: MqttClient, shard: BridgeShard | null, isShared: boolean) {
    this.#client = client;
    this.#shard = shard;
    this.isShared = isShared;
  }

  /** Throws a BrokerUnavailableError. Later outages end by themselves. */
  static async connect({ url, authorities, log }: ExternalBrokerClientOptions): Promise<ExternalBrokerClient> {
    const address = new URL(url);
    const shard = parseShard(address);
    address.search = '';
    const client = connect(address.href, {
      ca: [...getCACertificates(), ...authorities],
      clientId: `lintel-bridge-${randomBytes(6).toString('hex')}`,
      clean: true,
      protocolVersion: 4,
      reconnectPeriod: FIRST_RECONNECT_MS,
      reconnectOnConnackError: true,
    });
    try {
      const connected = firstConnection(client);
      client.on('error', () => undefined);
      await connected;
    } catch (error) {
      client.end(true);
      throw new BrokerUnavailableError(
        `Cannot reach the MQTT broker ${address.host}: ${formatConnectionError(error)}`,
        {
          cause: error,
        },
      );
    }
    superviseMqttClient(client, new OutageLog('MQTT broker', log), Math.random);
    client.stream.setMaxListeners(0);
    const isShared = shard === null && (await supportsSharedSubscriptions(client));
    const broker = new ExternalBrokerClient(client, shard, isShared);
    await client.subscribeAsync(
      isShared ? [`${SHARE_GROUP}/${allUplinksFilter}`, ...resultFilters] : allUplinksFilter,
      { qos: QOS },
    );
    return broker;
  }

  async publish(topic: string, payload: Uint8Array): Promise<void> {
    await this.#client.publishAsync(topic, Buffer.from(payload), { qos: QOS });
  }

  onMessage(handler: DeviceMessageHandler): void {
    this.#client.on('message', (topic, payload) => {
      if (isForThisBridge(this.#shard, topic)) handler(topic, payload);
    });
  }

  /** No effect: last will and hello messages report presence. */
  onConnectionChange(): void {}

  /** No effect: the certificate is revoked, so messages of the device are rejected. */
  disconnect(): void {}

  async close(): Promise<void> {
    // Without a connection, messages that wait for one would delay the end.
    await this.#client.endAsync(!this.#client.connected);
  }
}
