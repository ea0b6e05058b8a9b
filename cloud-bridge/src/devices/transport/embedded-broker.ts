import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { everyUpFilter } from '@lintel/wire-protocol/mqtt/topics';
import { Aedes, type Client, type PublishPacket } from 'aedes';
import { connectionCutter } from '../../http/connection-cutter.ts';
import type { KeyAndCertificate } from '../../tls/certificate-authority.ts';
import type { DeviceIdentity } from '../identity/device-login.ts';
import { type CarriedDevices, maySubscribe, mayPublish } from './broker-access.ts';
import { type BrokerLimits, cutOversizedPackets, defaultLimits, isTooFarBehind } from './broker-limits.ts';
import type { DeviceTransport, MessageHandler, PresenceHandler } from './device-transport.ts';

/** Who may come in, and what they may do. Without a word from here nobody may anything. */
export interface BrokerGate {
  byCertificate(serial: string, commonName: string): Promise<DeviceIdentity | null>;
  byPassword(username: string, password: string): Promise<DeviceIdentity | null>;
  readonly carried: CarriedDevices;
}

const CONNECT_TIMEOUT_MS = 10_000;
const REJECTED = Object.assign(new Error('not authorized'), { returnCode: 5 });

const portOf = (server: Server): number => (server.address() as { port: number }).port;

/** The controllers' broker in this process. */
export class EmbeddedBroker implements DeviceTransport {
  readonly #aedes: Aedes;
  readonly #gate: BrokerGate;
  readonly #limits: BrokerLimits;
  readonly #identities = new WeakMap<Client, DeviceIdentity>();
  readonly #clients = new Map<string, Client>();
  readonly #listening: Array<{ readonly server: Server; readonly cut: () => void }> = [];
  #onPresence: PresenceHandler = () => undefined;

  private constructor(gate: BrokerGate, limits: BrokerLimits) {
    this.#gate = gate;
    this.#limits = limits;
    this.#aedes = new Aedes({
      // No queue between publishers and subscribers: aedes drains one by recursion, and a subscriber that takes nothing
      // would hold up all others. What waits for a subscriber waits in its own socket, and is counted there.
      concurrency: 0,
      drainTimeout: limits.stalledMs,
      connectTimeout: CONNECT_TIMEOUT_MS,
      maxClientsIdLength: 100,
      preConnect: (client, packet, done) => {
        // Its queue limit does not hold for sessions whose client is away, so there are none: whoever comes back says
        // hello and gets what it lacks.
        packet.clean = true;
        cutOversizedPackets(client, limits);
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
        const allowed = identity !== undefined && maySubscribe(identity, gate.carried, subscription.topic);
        done(null, allowed ? subscription : null);
      },
      authorizeForward: (client, packet) => {
        if (!isTooFarBehind(client, limits)) return packet;
        client.conn.destroy();
        return null;
      },
    });
    this.#aedes.on('clientReady', client => this.#noticed(client, true));
    this.#aedes.on('clientDisconnect', client => this.#noticed(client, false));
    // One broken connection is its own affair.
    this.#aedes.on('clientError', () => undefined);
    this.#aedes.on('connectionError', () => undefined);
  }

  static async start(gate: BrokerGate, limits: BrokerLimits = defaultLimits): Promise<EmbeddedBroker> {
    const broker = new EmbeddedBroker(gate, limits);
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

  #identify(client: Client, username: unknown, password: unknown): Promise<DeviceIdentity | null> {
    const { conn } = client;
    if (conn instanceof TLSSocket) {
      const { subject, serialNumber } = conn.getPeerCertificate();
      if (!conn.authorized || typeof subject?.CN !== 'string') return Promise.resolve(null);
      return this.#gate.byCertificate(serialNumber.toLowerCase(), subject.CN);
    }
    if (typeof username !== 'string' || !(password instanceof Uint8Array)) return Promise.resolve(null);
    return this.#gate.byPassword(username, Buffer.from(password).toString('utf8'));
  }

  #isAllowed(client: Client | null, packet: PublishPacket): boolean {
    const identity = client === null ? undefined : this.#identities.get(client);
    if (identity === undefined || packet.payload.length > this.#limits.largestPayload) return false;
    // Nothing is kept for later: what a broker keeps, it plays to whoever comes.
    packet.retain = false;
    return mayPublish(identity, this.#gate.carried, packet.topic);
  }

  #noticed(client: Client, isConnected: boolean): void {
    const identity = this.#identities.get(client);
    if (identity === undefined) return;
    const { deviceId } = identity;
    // A connection that another of the same device has replaced says nothing of the device.
    if (!isConnected && this.#clients.get(deviceId) !== client) return;
    if (isConnected) this.#clients.set(deviceId, client);
    else this.#clients.delete(deviceId);
    this.#onPresence(deviceId, isConnected);
  }

  /** On loopback only: it has no TLS. Answers the port. */
  listen(host: string, port: number): Promise<number> {
    // Without noDelay a round trip takes 88 ms instead of 0.3 ms.
    return this.#open(createServer({ noDelay: true }, this.#aedes.handle), host, port);
  }

  /** Controllers show a certificate of this authority. Answers the port. */
  listenTls(host: string, port: number, { key, certificate }: KeyAndCertificate, authority: string): Promise<number> {
    const options = {
      key,
      cert: certificate,
      ca: authority,
      requestCert: true,
      rejectUnauthorized: true,
      noDelay: true,
    };
    return this.#open(createTlsServer(options, this.#aedes.handle), host, port);
  }

  async #open(server: Server, host: string, port: number): Promise<number> {
    const cut = connectionCutter(server);
    server.listen(port, host);
    await once(server, 'listening');
    this.#listening.push({ server, cut });
    return portOf(server);
  }

  publish(topic: string, payload: Uint8Array): Promise<void> {
    const packet = { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain: false, dup: false } as const;
    return new Promise((resolve, reject) => {
      this.#aedes.publish(packet, error => (error ? reject(error) : resolve()));
    });
  }

  onMessage(handler: MessageHandler): void {
    this.#aedes.subscribe(
      everyUpFilter,
      ({ topic, payload }, done) => {
        handler(topic, payload as Buffer);
        done();
      },
      () => undefined,
    );
  }

  onPresence(handler: PresenceHandler): void {
    this.#onPresence = handler;
  }

  sendAway(deviceId: string): void {
    this.#clients.get(deviceId)?.conn.destroy();
  }

  async close(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#aedes.close(resolve);
    });
    for (const { server, cut } of this.#listening) {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    }
  }
}
