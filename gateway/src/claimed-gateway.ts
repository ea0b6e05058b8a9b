import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DeviceId } from '@lintel/access-core/ids';
import { BrokerConnection } from '@lintel/device-link/connection/broker-connection';
import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import { createUplinkCounterFileStore } from '@lintel/device-link/session/uplink/uplink-counter-file';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { createTimerErrorLogger, repeatEvery } from '@lintel/service/timing/repeating-timer';
import { processTimers } from '@lintel/service/timing/timers';
import { buildDeviceDownlinkFilter, buildRevocationTopic, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { FrameForwarder } from './forwarding/frame-forwarder.ts';
import { ConnectedDevices } from './link/connected-device-subscriptions-and-announcements.ts';
import { GatewaySession } from './link/gateway-session.ts';
import { buildGatewayStatusMessage } from './link/gateway-status-message.ts';
import { GatewayDownlinkRouter } from './routing/downlink-router.ts';
import { TrafficCounts } from './routing/traffic-counts.ts';
import { GatewayUplinkRouter } from './routing/uplink-router.ts';
import { SiteBroker } from './site/site-broker.ts';
import { SiteSnapshotFile } from './site/site-snapshot-file.ts';
import { SiteSnapshot } from './site/site-snapshot.ts';
import type { SiteObserver } from './site/site-observer-interface.ts';
import type { ClaimedGatewayDependencies } from './claimed-gateway-dependencies.ts';

const TICK_MS = 1000;
const STATUS_TICKS = 300;
const RESET_DROPPED_TICKS = 3600;
const NONCE_BYTES = 16;

/** A claimed gateway: the broker of the site, the connection to the bridge, and the routing between them. */
export class ClaimedGateway {
  readonly connection: BrokerConnection;
  readonly snapshot: SiteSnapshot;
  readonly presence: ConnectedDevices;
  readonly forwarder: FrameForwarder;
  readonly counts: TrafficCounts;
  readonly #deps: ClaimedGatewayDependencies;
  readonly #local: SiteBroker;
  readonly #session: GatewaySession;
  readonly #uplink: GatewayUplinkRouter;
  /** Devices whose filters are part of the current connection. */
  #subscribedDevices: readonly DeviceId[] = [];
  #observer: SiteObserver | null = null;
  #isOnline = false;
  #ticks = 0;
  #stopTicks = (): void => undefined;
  /** On the monotonic clock. */
  linkChangedAt: number;

  private constructor(deps: ClaimedGatewayDependencies, local: SiteBroker, snapshot: SiteSnapshot) {
    const { store, log, monotonic } = deps;
    this.#deps = deps;
    this.#local = local;
    this.snapshot = snapshot;
    this.linkChangedAt = monotonic();
    this.counts = new TrafficCounts(facts => log('warn', 'Dropped a message', facts));
    this.presence = this.#newPresence();
    this.forwarder = new FrameForwarder({
      store: store.frames,
      publish: (topic, payload) => this.#publishUp(topic, payload),
      isSubscribed: device => this.presence.isSubscribed(device),
      monotonic,
      onDiscarded: device_id =>
        log('warn', 'Discarded a message without a response from the bridge. Its controller keeps it', { device_id }),
      ...(deps.forwardingLimits === undefined ? {} : { limits: deps.forwardingLimits }),
    });
    this.#session = this.#newSession();
    this.connection = this.#newConnection();
    this.#uplink = this.#newUplinkRouter();
    const { broker } = local;
    broker.onMessage(this.#uplink.route);
    broker.onPresence((device, isConnected) => this.#handlePresence(device, isConnected));
    broker.onSubscribed((device, filters) => local.handleSubscription(device, filters, this.#isOnline));
    store.onDamage(() => this.#recoverStore());
    deps.faults.onChange(() => this.#session.sendStatus());
    log('info', 'Loaded the site', { devices: snapshot.peers.devices().size });
  }

  static async open(deps: ClaimedGatewayDependencies): Promise<ClaimedGateway> {
    const { dataDir, enrollment, clock, system, faults, store, log } = deps;
    const onSaved = (error: Error | null): void => {
      if (error === null) faults.clear('site_unsaved');
      else faults.set('site_unsaved', `The devices of the site cannot be saved: ${error.message}`);
    };
    const onDamaged = (problem: string): void => faults.set('site_damaged', problem);
    const onUnreadable = (problem: string): void => faults.set('state_unreadable:site', problem);
    const file = new SiteSnapshotFile(join(dataDir, 'gateway', 'site.json'), onDamaged, onUnreadable);
    const snapshot = new SiteSnapshot(file, enrollment, onSaved);
    const local = await SiteBroker.open({
      organizationId: enrollment().organization_id,
      peers: () => snapshot.peers,
      now: () => clock.now(),
      system,
      store,
      log,
    });
    return new ClaimedGateway(deps, local, snapshot);
  }

  #newPresence(): ConnectedDevices {
    const { store, log, enrollment } = this.#deps;
    return new ConnectedDevices({
      subscribe: filters => this.connection.subscribe(filters),
      unsubscribe: filters => this.connection.unsubscribe(filters),
      publishPresence: devices => {
        this.#publishUp(
          buildUplinkTopic(enrollment().device_id, 'presence'),
          this.#session.encodePresence([...devices]),
        );
      },
      devicesWithFrames: () => store.frames.devices(),
      onReady: device => this.#uplink.deviceReady(device),
      timers: processTimers,
      log,
    });
  }

  #newSession(): GatewaySession {
    const { dataDir, enrollment, keys, digestKeyId, firmware, clock, log, store, faults, updates } = this.#deps;
    return new GatewaySession({
      uplinkCounter: createUplinkCounterFileStore(join(dataDir, 'gateway')),
      enrollment,
      keys,
      digestKeyId,
      firmware,
      clock,
      snapshot: this.snapshot,
      faults,
      updates,
      monotonic: new ProcessClock(),
      newNonce: () => randomBytes(NONCE_BYTES).toString('base64url'),
      log,
      link: {
        publish: (kind, payload) => this.connection.publish(buildUplinkTopic(enrollment().device_id, kind), payload),
        reconnect: () => this.connection.reconnect('The bridge does not respond'),
      },
      status: () => buildGatewayStatusMessage(clock, store, faults),
      revokeCounter: store.attempt(() => store.revocations.latestCounter()) ?? 0,
      onReady: () => this.#handleOnline(),
      onPeers: () => {
        this.#local.disconnectRemovedDevices();
        this.#observer?.siteChanged();
      },
    });
  }

  #newConnection(): BrokerConnection {
    const { enrollment, keys, clock, system, log, upstreamUrls, connectionLimits } = this.#deps;
    const router = this.#newDownlinkRouter();
    return new BrokerConnection({
      urls: upstreamUrls,
      identity: () => ({ enrollment: enrollment(), keys }),
      filters: () => {
        const { device_id, organization_id } = enrollment();
        this.#subscribedDevices = this.presence.devicesToSubscribe();
        return [
          buildDeviceDownlinkFilter(device_id),
          buildRevocationTopic(organization_id),
          ...this.#subscribedDevices.map(buildDeviceDownlinkFilter),
        ];
      },
      will: () => ({ topic: buildUplinkTopic(enrollment().device_id, 'goodbye'), payload: this.#session.lastWill() }),
      now: () => clock.now(),
      machineNow: system,
      onConnected: (_url, rejectedFilters) => {
        const rejected = new Set(rejectedFilters);
        this.#subscribedDevices = this.#subscribedDevices.filter(id => !rejected.has(buildDeviceDownlinkFilter(id)));
        this.linkChangedAt = this.#deps.monotonic();
        this.#session.connected();
      },
      onDisconnected: () => this.#handleOffline(),
      onMessage: router.route,
      log,
      random: Math.random,
      ...(connectionLimits === undefined ? {} : { limits: connectionLimits }),
    });
  }

  #newDownlinkRouter(): GatewayDownlinkRouter {
    const { store, enrollment, requests } = this.#deps;
    const { device_id, organization_id, organization_key } = enrollment();
    return new GatewayDownlinkRouter({
      ownId: device_id,
      organization: { id: organization_id, verify: createSignatureVerifier(organization_key) },
      peers: () => this.snapshot.peers,
      presence: this.presence,
      forwarder: this.forwarder,
      offlineQueue: store.offlineQueue,
      revocations: store.revocations,
      counts: this.counts,
      requests,
      attempt: store.attempt,
      publishDown: (topic, payload) => this.broker.publish(topic, payload),
      onOwn: (kind, payload) => this.#session.receive(kind, payload),
      onConfirmed: (device, upTo) => this.#uplink.eventsConfirmed(device, upTo),
    });
  }

  #newUplinkRouter(): GatewayUplinkRouter {
    const { store, clock, enrollment, requests } = this.#deps;
    return new GatewayUplinkRouter({
      organizationId: enrollment().organization_id,
      peers: () => this.snapshot.peers,
      presence: this.presence,
      store: store.frames,
      forwarder: this.forwarder,
      counts: this.counts,
      requests,
      now: () => clock.now(),
      isOnline: () => this.#isOnline,
      bufferedBytes: () => this.connection.bufferedBytes,
      publishUp: (topic, payload) => this.#publishUp(topic, payload),
      publishDown: (topic, payload) => this.broker.publish(topic, payload),
      onServing: (device, revision) =>
        store.attempt(() => store.revocations.setServedRevision(device, revision, this.snapshot.peers.devices())),
      requestResend: device => this.#local.requestResend([device], this.#isOnline),
    });
  }

  /** Lost messages are repeated by the senders that need a response. */
  #publishUp(topic: string, payload: Uint8Array): void {
    this.connection.publish(topic, payload).catch(() => undefined);
  }

  /** To be called before `start`. */
  observe(observer: SiteObserver): void {
    this.#observer = observer;
    this.broker.onMessage((topic, payload, sender) => observer.messageReceived(topic, payload, sender));
  }

  start(): void {
    this.connection.start();
    this.#stopTicks = repeatEvery(TICK_MS, () => this.#tick(), createTimerErrorLogger(this.#deps.log));
  }

  #tick(): void {
    this.#ticks++;
    this.forwarder.resendOverdue();
    this.#deps.clock.saveIfDue();
    if (this.snapshot.readAgain()) this.#deps.faults.clear('state_unreadable:site');
    if (this.#ticks % STATUS_TICKS === 0) this.#session.sendStatus();
    if (this.#ticks % RESET_DROPPED_TICKS === 0) this.counts.resetReported();
  }

  get broker(): SiteBroker['broker'] {
    return this.#local.broker;
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** The bridge is connected and has sent the devices of the site, so their messages can be forwarded. */
  #handleOnline(): void {
    this.#isOnline = true;
    this.presence.setOnline(this.#subscribedDevices);
    this.forwarder.resume();
    this.#sendLinkState();
    this.#session.sendStatus();
  }

  #handleOffline(): void {
    const wasOnline = this.#isOnline;
    this.#isOnline = false;
    this.linkChangedAt = this.#deps.monotonic();
    this.#session.disconnected();
    this.presence.setOffline();
    this.forwarder.pause();
    this.#uplink.linkClosed();
    if (wasOnline) this.#sendLinkState();
  }

  /** The store was replaced by an empty one, so controllers must send their events again. */
  #recoverStore(): void {
    this.forwarder.pause();
    if (this.#isOnline) this.forwarder.resume();
    this.#local.requestResend(this.presence.connected().keys(), this.#isOnline);
  }

  #sendLinkState(): void {
    this.#observer?.linkChanged();
    this.#local.sendLinkState(this.presence.connected().keys(), this.#isOnline);
  }

  #handlePresence(device: DeviceId, isConnected: boolean): void {
    if (isConnected) this.presence.deviceConnected(device, this.#deps.monotonic());
    else {
      this.presence.deviceDisconnected(device);
      this.#uplink.deviceDisconnected(device);
    }
    this.#observer?.presenceChanged(device);
  }

  /** The renewed certificate is already on disk. */
  replaceCertificate({ certificate }: DeviceEnrollment): void {
    this.broker.replaceCertificate({ key: this.#deps.keys.privateKeyPem, certificate });
    this.connection.reconnect('The certificate was renewed');
  }

  async stop(): Promise<void> {
    this.#stopTicks();
    const { device_id } = this.#deps.enrollment();
    await this.connection.stop({ topic: buildUplinkTopic(device_id, 'goodbye'), payload: this.#session.stop() });
    await this.broker.close();
  }
}
