import { signatureVerifier } from '@lintel/crypto/ed25519';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DeviceId } from '@lintel/access-core/ids';
import { BrokerConnection } from '@lintel/device-link/connection/broker-connection';
import type { Membership } from '@lintel/device-link/identity/membership';
import { ProcessClock } from '@lintel/service/timing/process-clock';
import { processTimers } from '@lintel/service/timing/timers';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { ownDownFilter, revokeTopic, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { Forwarder } from './forwarding/forwarder.ts';
import { DeviceRoster } from './link/device-roster.ts';
import { GatewaySession } from './link/gateway-session.ts';
import { gatewayStatus } from './link/gateway-status.ts';
import { DownRoutes } from './routing/down-routes.ts';
import { TrafficCounts } from './routing/traffic-counts.ts';
import { UpRoutes } from './routing/up-routes.ts';
import { LocalDevices } from './site/local-devices.ts';
import { SiteFile } from './site/site-file.ts';
import { SiteSnapshot } from './site/site-snapshot.ts';
import type { SiteGatewayParts } from './site-gateway-parts.ts';

const TICK_MS = 1000;
const STATUS_TICKS = 300;
const FORGET_TICKS = 3600;
const NONCE_BYTES = 16;

/** A gateway that has been claimed: the site's broker, the line to the bridge, and the ways between them. */
export class SiteGateway {
  readonly connection: BrokerConnection;
  readonly slice: SiteSnapshot;
  readonly roster: DeviceRoster;
  readonly forwarder: Forwarder;
  readonly counts: TrafficCounts;
  readonly #parts: SiteGatewayParts;
  readonly #local: LocalDevices;
  readonly #session: GatewaySession;
  readonly #up: UpRoutes;
  #wanted: readonly DeviceId[] = [];
  #isOpen = false;
  #ticks = 0;
  #ticking: NodeJS.Timeout | undefined;
  /** By the monotonic clock. */
  lineChangedAt: number;

  private constructor(parts: SiteGatewayParts, local: LocalDevices, slice: SiteSnapshot) {
    const { store, log, monotonic } = parts;
    this.#parts = parts;
    this.#local = local;
    this.slice = slice;
    this.lineChangedAt = monotonic();
    this.counts = new TrafficCounts(facts => log('warn', 'dropped a message', facts));
    this.roster = this.#newRoster();
    this.forwarder = new Forwarder({
      store: store.frames,
      publish: (topic, payload) => this.#publishUp(topic, payload),
      isHeard: device => this.roster.isHeard(device),
      monotonic,
      onGivenUp: device_id =>
        log('warn', 'the bridge does not answer a message, which is left with its controller', { device_id }),
      ...(parts.forwardLimits === undefined ? {} : { limits: parts.forwardLimits }),
    });
    this.#session = this.#newSession();
    this.connection = this.#newConnection();
    this.#up = this.#newUpRoutes();
    const { broker } = local;
    broker.onMessage(this.#up.heard);
    broker.onPresence((device, isConnected) => this.#noticed(device, isConnected));
    broker.onSubscribed((device, filters) => local.listens(device, filters, this.#isOpen));
    store.onDamage(() => this.#beginAgain());
    parts.faults.onChange(() => this.#session.sendStatus());
    log('info', 'the gateway knows its site', { devices: slice.peers.devices().size });
  }

  static async open(parts: SiteGatewayParts): Promise<SiteGateway> {
    const { dataDir, membership, clock, system, faults, store, log } = parts;
    const onSaved = (error: Error | null): void => {
      if (error === null) faults.clear('site_unsaved');
      else faults.set('site_unsaved', `What the bridge says of the site cannot be kept: ${error.message}`);
    };
    const slice = new SiteSnapshot(new SiteFile(join(dataDir, 'gateway', 'site.json')), membership, onSaved);
    const local = await LocalDevices.open({
      organizationId: membership().organization_id,
      peers: () => slice.peers,
      now: () => clock.now(),
      system,
      store,
      log,
    });
    return new SiteGateway(parts, local, slice);
  }

  #newRoster(): DeviceRoster {
    const { store, log, membership } = this.#parts;
    return new DeviceRoster({
      subscribe: filters => this.connection.subscribe(filters),
      unsubscribe: filters => this.connection.unsubscribe(filters),
      sayPresence: devices => {
        const payload = encodeMessage('presence', { v: 1, devices: [...devices] });
        this.#publishUp(upTopic(membership().device_id, 'presence'), payload);
      },
      withFrames: () => store.frames.devices(),
      onReady: device => this.#up.ready(device),
      timers: processTimers,
      log,
    });
  }

  #newSession(): GatewaySession {
    const { membership, keys, digestKeyId, firmware, clock, log, store, faults, updates } = this.#parts;
    return new GatewaySession({
      membership,
      keys,
      digestKeyId,
      firmware,
      clock,
      snapshot: this.slice,
      faults,
      updates,
      monotonic: new ProcessClock(),
      newNonce: () => randomBytes(NONCE_BYTES).toString('base64url'),
      log,
      link: {
        publish: (kind, payload) => this.connection.publish(upTopic(membership().device_id, kind), payload),
        reconnect: () => this.connection.reconnect('the bridge does not respond'),
      },
      status: () => gatewayStatus(clock, store, faults),
      revokeCounter: store.keeping(() => store.revocations.highest()) ?? 0,
      onReady: () => this.#opened(),
      onPeers: () => this.#local.sendStrangersAway(),
    });
  }

  #newConnection(): BrokerConnection {
    const { membership, keys, clock, system, log, upstreamUrls, connectionLimits } = this.#parts;
    const routes = this.#newDownRoutes();
    return new BrokerConnection({
      urls: upstreamUrls,
      identity: () => ({ membership: membership(), keys }),
      filters: () => {
        const { device_id, organization_id } = membership();
        this.#wanted = this.roster.wanted();
        return [ownDownFilter(device_id), revokeTopic(organization_id), ...this.#wanted.map(ownDownFilter)];
      },
      will: () => ({ topic: upTopic(membership().device_id, 'goodbye'), payload: this.#session.lastWill() }),
      now: () => clock.now(),
      machineNow: system,
      onConnected: () => {
        this.lineChangedAt = this.#parts.monotonic();
        this.#session.connected();
      },
      onDisconnected: () => this.#closed(),
      onMessage: routes.heard,
      log,
      random: Math.random,
      ...(connectionLimits === undefined ? {} : { limits: connectionLimits }),
    });
  }

  #newDownRoutes(): DownRoutes {
    const { store, membership, requests } = this.#parts;
    const { device_id, organization_id, organization_key } = membership();
    return new DownRoutes({
      ownId: device_id,
      organization: { id: organization_id, verify: signatureVerifier(organization_key) },
      peers: () => this.slice.peers,
      roster: this.roster,
      forwarder: this.forwarder,
      shelf: store.shelf,
      revocations: store.revocations,
      counts: this.counts,
      requests,
      keeping: store.keeping,
      publishDown: (topic, payload) => this.broker.publish(topic, payload),
      onOwn: (kind, payload) => this.#session.receive(kind, payload),
      onConfirmed: (device, upTo) => this.#up.confirmed(device, upTo),
    });
  }

  #newUpRoutes(): UpRoutes {
    const { store, clock, membership, requests } = this.#parts;
    return new UpRoutes({
      organizationId: membership().organization_id,
      peers: () => this.slice.peers,
      roster: this.roster,
      store: store.frames,
      forwarder: this.forwarder,
      counts: this.counts,
      requests,
      now: () => clock.now(),
      isOpen: () => this.#isOpen,
      bufferedBytes: () => this.connection.bufferedBytes,
      publishUp: (topic, payload) => this.#publishUp(topic, payload),
      publishDown: (topic, payload) => this.broker.publish(topic, payload),
      onServing: (device, revision) =>
        store.keeping(() => store.revocations.served(device, revision, this.slice.peers.devices())),
      sayAgain: device => this.#local.haveSaidAgain([device], this.#isOpen),
    });
  }

  /** What does not arrive is said again by whoever waits for an answer. */
  #publishUp(topic: string, payload: Uint8Array): void {
    this.connection.publish(topic, payload).catch(() => undefined);
  }

  start(): void {
    this.connection.start();
    this.#ticking = setInterval(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    this.#ticks++;
    this.forwarder.tick();
    this.#parts.clock.tick();
    if (this.#ticks % STATUS_TICKS === 0) this.#session.sendStatus();
    if (this.#ticks % FORGET_TICKS === 0) this.counts.forget();
  }

  get broker(): LocalDevices['broker'] {
    return this.#local.broker;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The bridge hears us and has said who is of the site: from now on devices are carried. */
  #opened(): void {
    this.#isOpen = true;
    this.roster.opened(this.#wanted);
    this.forwarder.open();
    this.#tellLine();
    this.#session.sendStatus();
  }

  #closed(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.lineChangedAt = this.#parts.monotonic();
    this.#session.disconnected();
    this.roster.closed();
    this.forwarder.close();
    this.#up.closed();
    if (wasOpen) this.#tellLine();
  }

  /** The store is empty: what was in it comes again. */
  #beginAgain(): void {
    this.forwarder.close();
    if (this.#isOpen) this.forwarder.open();
    this.#local.haveSaidAgain(this.roster.connected().keys(), this.#isOpen);
  }

  #tellLine(): void {
    this.#local.tellLine(this.roster.connected().keys(), this.#isOpen);
  }

  #noticed(device: DeviceId, isConnected: boolean): void {
    if (isConnected) return this.roster.came(device, this.#parts.monotonic());
    this.roster.went(device);
    this.#up.left(device);
  }

  /** With the next certificate, which is on the disk already. */
  renewed({ certificate }: Membership): void {
    this.broker.replaceCertificate({ key: this.#parts.keys.privateKeyPem, certificate });
    this.connection.reconnect('the certificate is renewed');
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    const { device_id } = this.#parts.membership();
    await this.connection.stop({ topic: upTopic(device_id, 'goodbye'), payload: this.#session.stop() });
    await this.broker.close();
  }
}
