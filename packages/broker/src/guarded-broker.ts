import type { Server, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DeviceId } from '@lintel/access-core/ids';
import { Aedes, type Client, type PublishPacket } from 'aedes';
import { judgeClient, presentedChain } from '@lintel/crypto/tls/server-chain';
import { type BrokerLimits, defaultLimits } from './broker-limits.ts';
import { BrokerListeners, type ServerCredentials } from './broker-listeners.ts';
import { FlushQueue } from './flush-queue.ts';
import { MessageLane } from './message-lane.ts';
import { type Publish, publishHead } from './publish-packet.ts';
import { Subscriptions } from './subscriptions.ts';

/** A device that has shown who it is. */
export interface BrokerClient {
  readonly deviceId: DeviceId;
}

/** Who may come in, and what they may do. Without a word from here nobody may anything. */
export interface BrokerGate<I extends BrokerClient> {
  /** The certificate is of the authority, for clients, and has not expired. */
  byCertificate(serial: string, commonName: string): Promise<I | null>;
  byPassword(username: string, password: string): Promise<I | null>;
  mayPublish(identity: I, topic: string): boolean;
  maySubscribe(identity: I, filter: string): boolean;
}

/** What a device has said; `sender` is the one that is connected, which may carry what others say. */
export type BrokerMessageHandler = (topic: string, payload: Uint8Array, sender: DeviceId) => void;

export type BrokerPresenceHandler = (deviceId: DeviceId, isConnected: boolean) => void;

/** A device hears these filters from now on. */
export type BrokerSubscriptionHandler = (deviceId: DeviceId, filters: readonly string[]) => void;

export interface GuardedBrokerOptions {
  readonly limits?: Partial<BrokerLimits>;
  /** Certificates of clients are checked against it. */
  readonly now: () => number;
  /** Milliseconds that never jump, by which silent and stalled connections are found. Default: `performance.now`. */
  readonly uptime?: () => number;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** How often connections are looked at that are silent or take nothing. */
const LONGEST_LOOK_MS = 1_000;
/** MQTT 3.1.1, 3.1.2.10: one and a half times the interval that the client has promised. */
const SILENCE_PER_KEEPALIVE_SECOND = 1_500;
/** Of QoS 2, which aedes keeps until the sender lets go of them. No part of Lintel sends any. */
const MOST_UNRELEASED = 32;
const REJECTED = Object.assign(new Error('not authorized'), { returnCode: 5 });

/** Each connection is handed to the broker as a lane. */
const laneOf = ({ conn }: Client): MessageLane => conn as unknown as MessageLane;

/**
 * An MQTT broker in this process that denies by default and holds its limits. aedes shakes hands, keeps subscriptions and
 * carries wills and QoS 2; all other messages take the lanes from one connection to the next.
 */
export class GuardedBroker<I extends BrokerClient> {
  readonly #aedes: Aedes;
  readonly #gate: BrokerGate<I>;
  readonly #limits: BrokerLimits;
  readonly #now: () => number;
  readonly #uptime: () => number;
  readonly #identities = new WeakMap<Client, I>();
  readonly #clients = new Map<DeviceId, Client>();
  /** With what each is subscribed to. */
  readonly #lanes = new Map<MessageLane, Set<string>>();
  readonly #subscriptions = new Subscriptions<MessageLane>();
  readonly #flushes = new FlushQueue();
  readonly #listeners: BrokerListeners;
  readonly #messageHandlers: BrokerMessageHandler[] = [];
  readonly #lookout: NodeJS.Timeout;
  #onPresence: BrokerPresenceHandler = () => undefined;
  #onSubscribed: BrokerSubscriptionHandler = () => undefined;

  private constructor(gate: BrokerGate<I>, { limits, now, uptime }: GuardedBrokerOptions) {
    this.#gate = gate;
    this.#now = now;
    this.#uptime = uptime ?? (() => performance.now());
    this.#limits = { ...defaultLimits, ...limits };
    this.#listeners = new BrokerListeners(socket => this.#accept(socket), now);
    this.#aedes = new Aedes({
      // No queue between publishers and subscribers: aedes drains one by recursion, and a subscriber that takes nothing
      // would hold up all others. What waits for a subscriber waits in its own socket, and is counted there.
      concurrency: 0,
      drainTimeout: this.#limits.stalledMs,
      connectTimeout: CONNECT_TIMEOUT_MS,
      maxClientsIdLength: 100,
      maxInflightInbound: MOST_UNRELEASED,
      preConnect: (client, packet, done) => {
        // Its queue limit does not hold for sessions whose client is away, so there are none: whoever comes back says
        // hello and gets what it lacks.
        packet.clean = true;
        // aedes would not see the messages that are a sign of life.
        laneOf(client).silence_ms = packet.keepalive ? packet.keepalive * SILENCE_PER_KEEPALIVE_SECOND : null;
        packet.keepalive = 0;
        done(null, true);
      },
      authenticate: (client, username, password, done) => {
        void this.#admit(client, username, password).then(
          admitted => (admitted ? done(null, true) : done(REJECTED, false)),
          () => done(REJECTED, false),
        );
      },
      authorizePublish: (client, packet, done) => {
        done(this.#isAllowed(client, packet) ? null : new Error('not allowed to publish this'));
      },
      authorizeSubscribe: (client, subscription, done) => {
        const identity = this.#identities.get(client);
        const allowed = identity !== undefined && gate.maySubscribe(identity, subscription.topic);
        if (allowed) this.#subscribe(laneOf(client), subscription.topic, subscription.qos === 0 ? 0 : 1);
        done(null, allowed ? subscription : null);
      },
      published: (packet, client, done) => {
        const identity = client === null ? undefined : this.#identities.get(client);
        if (identity !== undefined) this.#heard(packet.topic, packet.payload as Buffer, identity.deviceId);
        done();
      },
    });
    this.#aedes.on('clientReady', client => this.#noticed(client, true));
    this.#aedes.on('subscribe', (subscriptions, client) => {
      const identity = this.#identities.get(client);
      if (identity === undefined) return;
      const filters = [...(this.#lanes.get(laneOf(client)) ?? [])];
      this.#onSubscribed(
        identity.deviceId,
        subscriptions.map(({ topic }) => topic).filter(topic => filters.includes(topic)),
      );
    });
    this.#aedes.on('unsubscribe', (filters, client) => {
      for (const filter of filters) this.#subscriptions.remove(filter, laneOf(client));
    });
    this.#aedes.on('clientDisconnect', client => this.#noticed(client, false));
    // One broken connection is its own affair.
    this.#aedes.on('clientError', () => undefined);
    this.#aedes.on('connectionError', () => undefined);
    const look = (): void => {
      for (const lane of this.#lanes.keys()) if (!lane.isAlive()) lane.destroy();
    };
    this.#lookout = setInterval(look, Math.min(LONGEST_LOOK_MS, this.#limits.stalledMs)).unref();
  }

  static async start<I extends BrokerClient>(
    gate: BrokerGate<I>,
    options: GuardedBrokerOptions,
  ): Promise<GuardedBroker<I>> {
    const broker = new GuardedBroker(gate, options);
    await broker.#aedes.listen();
    return broker;
  }

  /** Two devices with one client id would throw one another out: each has its own. */
  async #admit(client: Client, username: unknown, password: unknown): Promise<boolean> {
    const identity = await this.#identify(client, username, password);
    if (identity === null || client.id !== identity.deviceId) return false;
    this.#identities.set(client, identity);
    return true;
  }

  async #identify(client: Client, username: unknown, password: unknown): Promise<I | null> {
    const { socket } = laneOf(client);
    if (socket instanceof TLSSocket) {
      const authority = this.#listeners.authorityOf(socket);
      const shown = authority === undefined ? null : judgeClient(presentedChain(socket), authority, this.#now());
      return shown === null ? null : this.#gate.byCertificate(shown.serial, shown.commonName);
    }
    if (typeof username !== 'string' || !(password instanceof Uint8Array)) return null;
    return this.#gate.byPassword(username, Buffer.from(password).toString('utf8'));
  }

  #isAllowed(client: Client | null, packet: PublishPacket): boolean {
    const identity = client === null ? undefined : this.#identities.get(client);
    if (identity === undefined || packet.payload.length > this.#limits.largestPayload) return false;
    // Nothing is kept for later: what a broker keeps, it plays to whoever comes.
    packet.retain = false;
    if (!this.#gate.mayPublish(identity, packet.topic)) return false;
    if (!this.#isTooLong(packet.topic)) return true;
    this.#heard(packet.topic, packet.payload as Buffer, identity.deviceId);
    return false;
  }

  #isTooLong(topic: string): boolean {
    return Buffer.byteLength(topic) > this.#limits.longestTopic;
  }

  #heard(topic: string, payload: Uint8Array, sender: DeviceId): void {
    for (const handler of this.#messageHandlers) handler(topic, payload, sender);
  }

  #noticed(client: Client, isConnected: boolean): void {
    const identity = this.#identities.get(client);
    if (identity === undefined) return;
    const { deviceId } = identity;
    // A connection that another of the same device has replaced says nothing of the device.
    if (!isConnected && this.#clients.get(deviceId) !== client) return;
    if (isConnected) {
      this.#clients.set(deviceId, client);
      laneOf(client).open(message => this.#carry(identity, message));
    } else this.#clients.delete(deviceId);
    this.#onPresence(deviceId, isConnected);
  }

  #carry(identity: I, { topic, payload }: Publish): boolean {
    if (payload.length > this.#limits.largestPayload || !this.#gate.mayPublish(identity, topic)) return false;
    if (!this.#isTooLong(topic)) this.#deliver(topic, payload);
    this.#heard(topic, payload, identity.deviceId);
    return true;
  }

  #deliver(topic: string, payload: Uint8Array): void {
    const heads: (Buffer | undefined)[] = [];
    for (const { client: lane, qos } of this.#subscriptions.receivers(topic)) {
      heads[qos] ??= publishHead(topic, payload.length, qos);
      lane.send(heads[qos], payload, qos);
    }
  }

  #subscribe(lane: MessageLane, filter: string, qos: 0 | 1): void {
    if (!this.#lanes.has(lane)) return;
    this.#lanes.get(lane)!.add(filter);
    this.#subscriptions.add(filter, lane, qos);
  }

  #forget(lane: MessageLane): void {
    for (const filter of this.#lanes.get(lane) ?? []) this.#subscriptions.remove(filter, lane);
    this.#lanes.delete(lane);
  }

  #accept(socket: Socket): void {
    const lane = new MessageLane(socket, this.#limits, this.#flushes, this.#uptime);
    this.#lanes.set(lane, new Set());
    lane.once('close', () => this.#forget(lane));
    this.#aedes.handle(lane);
  }

  /** On loopback only: it has no TLS. Answers the port. */
  listen(host: string, port: number): Promise<number> {
    return this.#listeners.listen(host, port);
  }

  /** Devices show a certificate of this authority. Answers the port. */
  listenTls(host: string, port: number, own: ServerCredentials, authority: string): Promise<number> {
    return this.#listeners.listenTls(host, port, own, authority);
  }

  /** Servers of `brokerSocketServer` that listen already; they are closed with the broker. */
  serve(server: Server): void {
    this.#listeners.serve(server);
  }

  serveTls(server: Server, own: ServerCredentials, authority: string): void {
    this.#listeners.serveTls(server, own, authority);
  }

  /** From the next handshake on; those who are connected stay. */
  replaceCertificate(own: ServerCredentials): void {
    this.#listeners.replaceCertificate(own);
  }

  /** On its way to everybody who is subscribed when it returns. */
  publish(topic: string, payload: Uint8Array): void {
    this.#deliver(topic, payload);
  }

  /** To one device alone, whoever else is subscribed. False when it is not connected. */
  publishTo(deviceId: DeviceId, topic: string, payload: Uint8Array): boolean {
    const client = this.#clients.get(deviceId);
    return client !== undefined && laneOf(client).send(publishHead(topic, payload.length, 1), payload, 1);
  }

  /** What devices say, as far as they may; not what is published from here. */
  onMessage(handler: BrokerMessageHandler): void {
    this.#messageHandlers.push(handler);
  }

  onPresence(handler: BrokerPresenceHandler): void {
    this.#onPresence = handler;
  }

  onSubscribed(handler: BrokerSubscriptionHandler): void {
    this.#onSubscribed = handler;
  }

  connected(): DeviceId[] {
    return [...this.#clients.keys()];
  }

  /** Cuts the device's connection, if it has one. */
  sendAway(deviceId: string): void {
    this.#clients.get(deviceId as DeviceId)?.conn.destroy();
  }

  async close(): Promise<void> {
    clearInterval(this.#lookout);
    await new Promise<void>(resolve => {
      this.#aedes.close(resolve);
    });
    await this.#listeners.close();
  }
}
