import { getCACertificates } from 'node:tls';
import { FIRST_RECONNECT_MS, superviseMqttClient } from '@lintel/device-link/connection/supervise-client';
import { formatConnectionError, OutageLog } from '@lintel/service/connections/outage-log';
import type { Log } from '@lintel/service/log-function-type';
import { connect, type MqttClient } from 'mqtt';

export interface HomeAssistantBrokerSettings {
  /** `mqtt://user@host` or `mqtts://…`, without a password. */
  readonly url: string;
  readonly password: string | null;
  /** PEM certificates of authorities, besides those of the system. */
  readonly authorities: readonly string[];
}

export interface HomeAssistantBrokerLinkDependencies {
  readonly clientId: string;
  readonly broker: HomeAssistantBrokerSettings;
  /** `offline` is published here when the connection is lost. */
  readonly availabilityTopic: string;
  /** Subscribed before `onConnected`. */
  readonly filters: readonly string[];
  /** A message that was on the broker before it was subscribed. */
  readonly onRetained: (topic: string, payload: string) => void;
  readonly onConnected: () => void;
  /** The reason of an outage; null when it is over. */
  readonly onOutage: (reason: string | null) => void;
  readonly log: Log;
}

const QOS = 1;
const CONNECT_TIMEOUT_MS = 10_000;
const noWork = (): void => undefined;

/** The connection to the broker of Home Assistant, which is opened again after every failure. */
export class HomeAssistantBrokerLink {
  readonly #deps: HomeAssistantBrokerLinkDependencies;
  #client: MqttClient | null = null;
  #isSubscribed = false;

  constructor(deps: HomeAssistantBrokerLinkDependencies) {
    this.#deps = deps;
  }

  start(): void {
    const { onRetained, onOutage, log } = this.#deps;
    const client = this.#connect();
    this.#client = client;
    superviseMqttClient(client, new OutageLog('MQTT broker of Home Assistant', log), Math.random);
    let reason: unknown = null;
    client.on('error', error => {
      reason = error;
    });
    client.on('close', () => {
      this.#isSubscribed = false;
      if (!client.disconnecting) onOutage(formatConnectionError(reason ?? new Error('The connection was closed')));
      reason = null;
    });
    client.on('connect', () => {
      this.#subscribe(client).catch((error: unknown) => {
        reason = error;
        client.stream.destroy();
      });
    });
    client.on('message', (topic, payload, { retain }) => {
      if (retain && payload.length > 0) onRetained(topic, payload.toString());
    });
  }

  async #subscribe(client: MqttClient): Promise<void> {
    await client.subscribeAsync([...this.#deps.filters], { qos: QOS });
    this.#isSubscribed = true;
    this.#deps.onOutage(null);
    this.#deps.onConnected();
  }

  #connect(): MqttClient {
    const { clientId, broker, availabilityTopic } = this.#deps;
    const address = new URL(broker.url);
    const username = decodeURIComponent(address.username);
    address.username = '';
    return connect(address.href, {
      clientId,
      ...(username === '' ? {} : { username }),
      ...(broker.password === null ? {} : { password: broker.password }),
      ca: [...getCACertificates(), ...broker.authorities],
      clean: true,
      protocolVersion: 4,
      reconnectPeriod: FIRST_RECONNECT_MS,
      reconnectOnConnackError: true,
      resubscribe: false,
      connectTimeout: CONNECT_TIMEOUT_MS,
      will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: QOS, retain: true },
    });
  }

  /** Does nothing without a connection: `onConnected` publishes everything again, and old events are not wanted. */
  publish(topic: string, payload: string, retain: boolean): void {
    if (this.#isSubscribed) this.#client?.publishAsync(topic, payload, { qos: QOS, retain }).catch(noWork);
  }

  /** Publishes `offline` and disconnects. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    if (client.connected)
      await client.publishAsync(this.#deps.availabilityTopic, 'offline', { qos: QOS, retain: true }).catch(noWork);
    await client.endAsync(!client.connected);
  }
}
