import { getCACertificates } from 'node:tls';
import { SupervisedConnection } from '@lintel/service/connections/supervised-connection';
import { formatConnectionError, OutageLog } from '@lintel/service/connections/outage-log';
import type { Log } from '@lintel/service/log-function-type';
import { processTimers } from '@lintel/service/timing/timers';
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
  readonly #connection: SupervisedConnection<MqttClient>;
  #attempt = 0;

  constructor(deps: HomeAssistantBrokerLinkDependencies) {
    this.#deps = deps;
    this.#connection = new SupervisedConnection({
      open: onLost => this.#open(onLost),
      close: client => client.endAsync(!client.connected),
      outages: new OutageLog('MQTT broker of Home Assistant', deps.log),
      timers: processTimers,
      random: Math.random,
    });
  }

  async #open(onLost: (error: unknown) => void): Promise<MqttClient> {
    const { filters, onRetained, onConnected, onOutage } = this.#deps;
    const attempt = ++this.#attempt;
    const client = this.#connect();
    const opened = Promise.withResolvers<void>();
    const handleLoss = (error: unknown): void => {
      opened.reject(error);
      // A connection that was replaced or closed is not an outage.
      if (attempt === this.#attempt) onOutage(formatConnectionError(error));
      onLost(error);
    };
    client.on('error', handleLoss);
    client.on('close', () => handleLoss(new Error('The connection was closed')));
    client.on('connect', () => opened.resolve());
    client.on('message', (topic, payload, { retain }) => {
      if (retain && payload.length > 0) onRetained(topic, payload.toString());
    });
    try {
      await opened.promise;
      await client.subscribeAsync([...filters], { qos: QOS });
    } catch (error) {
      client.end(true);
      throw error;
    }
    onOutage(null);
    // Messages can be published once this function has returned.
    setImmediate(onConnected);
    return client;
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
      reconnectPeriod: 0,
      connectTimeout: CONNECT_TIMEOUT_MS,
      queueQoSZero: false,
      will: { topic: availabilityTopic, payload: Buffer.from('offline'), qos: QOS, retain: true },
    });
  }

  start(): void {
    void this.#connection.start();
  }

  /** Does nothing without a connection: `onConnected` publishes everything again. */
  publish(topic: string, payload: string, retain: boolean): void {
    this.#connection.current?.publishAsync(topic, payload, { qos: QOS, retain }).catch(noWork);
  }

  /** Publishes `offline` and disconnects. */
  async close(): Promise<void> {
    this.#attempt++;
    const client = this.#connection.current;
    if (client?.connected === true)
      await client.publishAsync(this.#deps.availabilityTopic, 'offline', { qos: QOS, retain: true }).catch(noWork);
    await this.#connection.close();
  }
}
