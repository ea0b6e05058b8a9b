import type { Server, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DeviceId } from '@lintel/access-core/ids';
import type { Log } from '@lintel/service/log-function-type';
import { createTimerErrorLogger, repeatEvery } from '@lintel/service/timing/repeating-timer';
import { Aedes, type Client, type PublishPacket } from 'aedes';
import { verifyClientCertificate, readPresentedCertificates } from '@lintel/crypto/tls/certificate-chain';
import { type BrokerLimits, defaultBrokerLimits } from './broker-limits.ts';
import { BrokerListeners, type ServerKeyAndCertificate } from './broker-listeners.ts';
import { FlushQueue } from './broker-stream-flush-queue.ts';
import { BrokerConnectionStream } from './broker-connection-stream.ts';
import { type ParsedPublishPacket, encodePublishHeader } from './publish-and-puback-packets.ts';
import { createSessionlessPersistence } from './sessionless-persistence.ts';
import { BrokerSubscriptions } from './subscriptions.ts';

/** An authenticated device. */
export interface BrokerClient {
  readonly deviceId: DeviceId;
}

/** Decides who may connect, publish and subscribe. Everything else is denied. */
export interface BrokerAccessPolicy<I extends BrokerClient> {
  /** The broker has verified issuer, purpose and expiry of the certificate. */
  byCertificate(serial: string, commonName: string): Promise<I | null>;
  byPassword(username: string, password: string): Promise<I | null>;
  mayPublish(identity: I, topic: string): boolean;
  maySubscribe(identity: I, filter: string): boolean;
  /** Asked for each message to a subscriber. Default: a subscriber gets what it may subscribe to. */
  mayReceive?(identity: I, topic: string): boolean;
}

/** `sender` is the connected device, which may forward messages of other devices. */
export type BrokerMessageHandler = (topic: string, payload: Uint8Array, sender: DeviceId) => void;

export type BrokerConnectionChangeHandler = (deviceId: DeviceId, isConnected: boolean) => void;

export type BrokerSubscriptionHandler = (deviceId: DeviceId, filters: readonly string[]) => void;

export interface RejectedBrokerLogin {
  /** As claimed by the client, unverified; null if it claimed none. */
  readonly deviceId: string | null;
  readonly reason:
    | 'no valid certificate'
    | 'unknown device or wrong credentials'
    | 'another client id'
    | 'not available';
  readonly address: string;
}

export interface GuardedBrokerOptions {
  readonly limits?: Partial<BrokerLimits>;
  /** The time against which client certificates are checked. */
  readonly now: () => number;
  /** Monotonic milliseconds, to detect silent and stalled connections. Default: `performance.now`. */
  readonly uptime?: () => number;
  readonly onRefusedLogin?: ((login: RejectedBrokerLogin) => void) | undefined;
  readonly log?: Log | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Longest interval between checks for silent and stalled connections. */
const MAX_CHECK_INTERVAL_MS = 1_000;
/** MQTT 3.1.1, 3.1.2.10: one and a half times the keep-alive interval. */
const SILENCE_PER_KEEPALIVE_SECOND = 1_500;
/** QoS 2 messages that aedes stores until the sender releases them. No part of Lintel sends any. */
const MAX_UNRELEASED = 32;
const REJECTED = Object.assign(new Error('not authorized'), { returnCode: 5 });
/** The policy could not decide, for example during an outage of its database. Clients try again. */
const UNAVAILABLE = Object.assign(new Error('server unavailable'), { returnCode: 3 });

/** aedes gets each connection as a BrokerConnectionStream. */
const streamOf = ({ conn }: Client): BrokerConnectionStream => conn as unknown as BrokerConnectionStream;

/**
 * An embedded MQTT broker that denies by default and enforces limits. aedes handles the handshake, subscriptions, wills and QoS 2. All
 * other messages go directly from stream to stream.
 */
export class GuardedBroker<I extends BrokerClient> {
  readonly #aedes: Aedes;
  readonly #policy: BrokerAccessPolicy<I>;
  readonly #limits: BrokerLimits;
  readonly #now: () => number;
  readonly #uptime: () => number;
  readonly #identities = new WeakMap<Client, I>();
  /** Of the subscribers. */
  readonly #receivers = new WeakMap<BrokerConnectionStream, I>();
  readonly #clients = new Map<DeviceId, Client>();
  /** With the filters of each stream. */
  readonly #streams = new Map<BrokerConnectionStream, Set<string>>();
  readonly #subscriptions = new BrokerSubscriptions<BrokerConnectionStream>();
  readonly #flushQueue = new FlushQueue();
  readonly #listeners: BrokerListeners;
  readonly #messageHandlers: BrokerMessageHandler[] = [];
  readonly #onRefusedLogin: (login: RejectedBrokerLogin) => void;
  readonly #stopLivenessCheck: () => void;
  #onConnectionChange: BrokerConnectionChangeHandler = () => undefined;
  #onSubscribed: BrokerSubscriptionHandler = () => undefined;

  private constructor(policy: BrokerAccessPolicy<I>, options: GuardedBrokerOptions) {
    const { limits, now, uptime, onRefusedLogin = () => undefined, log } = options;
    this.#onRefusedLogin = onRefusedLogin;
    this.#policy = policy;
    this.#now = now;
    this.#uptime = uptime ?? (() => performance.now());
    this.#limits = { ...defaultBrokerLimits, ...limits };
    this.#listeners = new BrokerListeners(
      socket => this.#accept(socket),
      now,
      (deviceId, address) => onRefusedLogin({ deviceId, reason: 'no valid certificate', address }),
      log,
    );
    this.#aedes = new Aedes({
      // Without a queue: aedes drains it recursively, and a stalled subscriber would block all others. Messages wait in the socket of
      // their subscriber, where they are counted.
      concurrency: 0,
      persistence: createSessionlessPersistence(),
      drainTimeout: this.#limits.stallTimeoutMs,
      connectTimeout: CONNECT_TIMEOUT_MS,
      maxClientsIdLength: 100,
      maxInflightInbound: MAX_UNRELEASED,
      preConnect: (client, packet, done) => {
        // The queue limit of aedes does not cover sessions of disconnected clients, so none are kept. Clients resynchronize when they
        // reconnect.
        packet.clean = true;
        // aedes does not see the messages, so the stream checks the keep-alive.
        streamOf(client).maxSilenceMs = packet.keepalive ? packet.keepalive * SILENCE_PER_KEEPALIVE_SECOND : null;
        packet.keepalive = 0;
        done(null, true);
      },
      authenticate: (client, username, password, done) => {
        void this.#admit(client, username, password).then(
          refusal => {
            if (refusal === null) return done(null, true);
            this.#reportRefusal(client, refusal);
            return done(REJECTED, false);
          },
          () => {
            this.#reportRefusal(client, 'not available');
            done(UNAVAILABLE, false);
          },
        );
      },
      authorizePublish: (client, packet, done) => {
        done(this.#isAllowed(client, packet) ? null : new Error('not allowed to publish this'));
      },
      authorizeSubscribe: (client, subscription, done) => {
        const identity = this.#identities.get(client);
        const allowed = identity !== undefined && policy.maySubscribe(identity, subscription.topic);
        if (allowed) {
          this.#receivers.set(streamOf(client), identity);
          this.#subscribe(streamOf(client), subscription.topic, subscription.qos === 0 ? 0 : 1);
        }
        done(null, allowed ? subscription : null);
      },
      published: (packet, client, done) => {
        const identity = client === null ? undefined : this.#identities.get(client);
        if (identity !== undefined) this.#notify(packet.topic, packet.payload as Buffer, identity.deviceId);
        done();
      },
    });
    this.#aedes.on('clientReady', client => this.#updateConnection(client, true));
    this.#aedes.on('subscribe', (subscriptions, client) => {
      const identity = this.#identities.get(client);
      if (identity === undefined) return;
      const filters = [...(this.#streams.get(streamOf(client)) ?? [])];
      this.#onSubscribed(
        identity.deviceId,
        subscriptions.map(({ topic }) => topic).filter(topic => filters.includes(topic)),
      );
    });
    this.#aedes.on('unsubscribe', (filters, client) => {
      for (const filter of filters) this.#subscriptions.remove(filter, streamOf(client));
    });
    this.#aedes.on('clientDisconnect', client => this.#updateConnection(client, false));
    // Errors of a single connection only close that connection.
    this.#aedes.on('clientError', () => undefined);
    this.#aedes.on('connectionError', () => undefined);
    const checkLiveness = (): void => {
      for (const stream of this.#streams.keys()) if (!stream.isAlive()) stream.destroy();
    };
    const checkInterval = Math.min(MAX_CHECK_INTERVAL_MS, this.#limits.stallTimeoutMs);
    this.#stopLivenessCheck = repeatEvery(checkInterval, checkLiveness, createTimerErrorLogger(log));
  }

  static async start<I extends BrokerClient>(
    policy: BrokerAccessPolicy<I>,
    options: GuardedBrokerOptions,
  ): Promise<GuardedBroker<I>> {
    const broker = new GuardedBroker(policy, options);
    await broker.#aedes.listen();
    return broker;
  }

  /** Returns why the login is refused, or null. The client id must be the device id: equal client ids would disconnect each other. */
  async #admit(client: Client, username: unknown, password: unknown): Promise<RejectedBrokerLogin['reason'] | null> {
    const identity = await this.#identify(client, username, password);
    if (identity === null) return 'unknown device or wrong credentials';
    if (client.id !== identity.deviceId) return 'another client id';
    this.#identities.set(client, identity);
    return null;
  }

  #reportRefusal(client: Client, reason: RejectedBrokerLogin['reason']): void {
    const address = streamOf(client).socket.remoteAddress ?? '';
    this.#onRefusedLogin({ deviceId: client.id, reason, address });
  }

  async #identify(client: Client, username: unknown, password: unknown): Promise<I | null> {
    const { socket } = streamOf(client);
    if (socket instanceof TLSSocket) {
      const authority = this.#listeners.authorityOf(socket);
      const certificate =
        authority === undefined
          ? null
          : verifyClientCertificate(readPresentedCertificates(socket), authority, this.#now());
      return certificate === null ? null : this.#policy.byCertificate(certificate.serial, certificate.commonName);
    }
    if (typeof username !== 'string' || !(password instanceof Uint8Array)) return null;
    return this.#policy.byPassword(username, Buffer.from(password).toString('utf8'));
  }

  #isAllowed(client: Client | null, packet: PublishPacket): boolean {
    const identity = client === null ? undefined : this.#identities.get(client);
    if (identity === undefined || packet.payload.length > this.#limits.maxPayloadBytes) return false;
    // The broker stores no retained messages, because every later subscriber would get them.
    packet.retain = false;
    if (!this.#policy.mayPublish(identity, packet.topic)) return false;
    if (!this.#isTooLong(packet.topic)) return true;
    this.#notify(packet.topic, packet.payload as Buffer, identity.deviceId);
    return false;
  }

  #isTooLong(topic: string): boolean {
    return Buffer.byteLength(topic) > this.#limits.maxTopicBytes;
  }

  #notify(topic: string, payload: Uint8Array, sender: DeviceId): void {
    for (const handler of this.#messageHandlers) handler(topic, payload, sender);
  }

  #updateConnection(client: Client, isConnected: boolean): void {
    const identity = this.#identities.get(client);
    if (identity === undefined) return;
    const { deviceId } = identity;
    // A newer connection of the same device has replaced this one.
    if (!isConnected && this.#clients.get(deviceId) !== client) return;
    if (isConnected) {
      if (!this.#listeners.admitSession(streamOf(client).socket)) {
        client.conn.destroy();
        return;
      }
      this.#clients.set(deviceId, client);
      streamOf(client).open(message => this.#receive(identity, message));
    } else this.#clients.delete(deviceId);
    this.#onConnectionChange(deviceId, isConnected);
  }

  #receive(identity: I, { topic, payload }: ParsedPublishPacket): boolean {
    if (payload.length > this.#limits.maxPayloadBytes || !this.#policy.mayPublish(identity, topic)) return false;
    if (!this.#isTooLong(topic)) this.#deliver(topic, payload);
    this.#notify(topic, payload, identity.deviceId);
    return true;
  }

  #deliver(topic: string, payload: Uint8Array): void {
    const heads: (Buffer | undefined)[] = [];
    for (const { client: stream, qos } of this.#subscriptions.receivers(topic)) {
      if (!this.#mayReceive(stream, topic)) continue;
      heads[qos] ??= encodePublishHeader(topic, payload.length, qos);
      stream.send(heads[qos], payload, qos);
    }
  }

  #mayReceive(stream: BrokerConnectionStream, topic: string): boolean {
    if (this.#policy.mayReceive === undefined) return true;
    const identity = this.#receivers.get(stream);
    return identity !== undefined && this.#policy.mayReceive(identity, topic);
  }

  #subscribe(stream: BrokerConnectionStream, filter: string, qos: 0 | 1): void {
    if (!this.#streams.has(stream)) return;
    this.#streams.get(stream)!.add(filter);
    this.#subscriptions.add(filter, stream, qos);
  }

  #forget(stream: BrokerConnectionStream): void {
    for (const filter of this.#streams.get(stream) ?? []) this.#subscriptions.remove(filter, stream);
    this.#streams.delete(stream);
  }

  #accept(socket: Socket): void {
    const stream = new BrokerConnectionStream(socket, this.#limits, this.#flushQueue, this.#uptime);
    this.#streams.set(stream, new Set());
    stream.once('close', () => this.#forget(stream));
    this.#aedes.handle(stream);
  }

  /** Without TLS, so for loopback only. Returns the port. */
  listen(host: string, port: number): Promise<number> {
    return this.#listeners.listen(host, port);
  }

  /** Devices must present a certificate of this authority. Returns the port. */
  listenTls(host: string, port: number, own: ServerKeyAndCertificate, authority: string): Promise<number> {
    return this.#listeners.listenTls(host, port, own, authority);
  }

  /** Takes over a listening server of `createBrokerSocketServer`. `close` closes it. */
  serve(server: Server): void {
    this.#listeners.serve(server);
  }

  serveTls(server: Server, own: ServerKeyAndCertificate, authority: string): void {
    this.#listeners.serveTls(server, own, authority);
  }

  /** Applies to new handshakes. Existing connections stay open. */
  replaceCertificate(own: ServerKeyAndCertificate): void {
    this.#listeners.replaceCertificate(own);
  }

  /** Sends to all current subscribers. */
  publish(topic: string, payload: Uint8Array): void {
    this.#deliver(topic, payload);
  }

  /** Sends to one device, regardless of subscriptions. False when it is not connected. */
  publishTo(deviceId: DeviceId, topic: string, payload: Uint8Array): boolean {
    const client = this.#clients.get(deviceId);
    return client !== undefined && streamOf(client).send(encodePublishHeader(topic, payload.length, 1), payload, 1);
  }

  /** Called for permitted messages of devices, but not for `publish`. */
  onMessage(handler: BrokerMessageHandler): void {
    this.#messageHandlers.push(handler);
  }

  onConnectionChange(handler: BrokerConnectionChangeHandler): void {
    this.#onConnectionChange = handler;
  }

  onSubscribed(handler: BrokerSubscriptionHandler): void {
    this.#onSubscribed = handler;
  }

  connected(): DeviceId[] {
    return [...this.#clients.keys()];
  }

  /** Closes the connection of the device, if there is one. */
  disconnect(deviceId: string): void {
    this.#clients.get(deviceId as DeviceId)?.conn.destroy();
  }

  async close(): Promise<void> {
    this.#stopLivenessCheck();
    await new Promise<void>(resolve => {
      this.#aedes.close(resolve);
    });
    await this.#listeners.close();
  }
}
