import { HOUR_MS } from '@lintel/access-core/durations';
import type { DeviceId } from '@lintel/access-core/ids';
import { DroppedMessageReporter } from '@lintel/broker/dropped-message-reporter';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { parseMqttTopic } from '@lintel/wire-protocol/mqtt/topics';
import { type RateLimit, RateLimiter } from '../http/rate-limit.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import { createBackgroundErrorLogger } from '../storage/background-error-logger.ts';
import { isStorageOutageError } from '../storage/database-error.ts';
import { createRetryDuringOutage } from '../storage/outage-retry.ts';
import type { CertificateAuthority } from '../tls/certificate-authority.ts';
import { RolloutCoordinator } from './rollout-coordinator.ts';
import { systemActor } from '../transactions/actor.ts';
import type { RecordedOrganizationChanges } from '../transactions/record-organization-changes.ts';
import { deleteOldAccessChanges } from './delete-old-access-changes.ts';
import { MqttActionExecutor } from './mqtt-action-executor.ts';
import { DownlinkSender } from './downlink/downlink-sender.ts';
import { DownlinkCounterAllocator } from './downlink/downlink-counter-allocator.ts';
import { OrganizationSignerCache } from './downlink/organization-signer-cache.ts';
import { RevocationPublisher } from './downlink/revocation-publisher.ts';
import { GatewayDeviceRegistry } from './gateway-device-registry.ts';
import { serveClaimRoutes } from './identity/claim-routes.ts';
import {
  type AuthenticatedDevice,
  authenticateDeviceByCertificate,
  authenticateDeviceByPassword,
} from './identity/device-authentication.ts';
import type { BrokerAddresses } from './identity/certificate-response.ts';
import { KeyedTaskQueue } from './keyed-task-queue.ts';
import { TechnicianRequestForwarder } from './remote-technician/technician-request-forwarder.ts';
import {
  type ActiveDeviceSession,
  type UplinkMessageOrigin,
  DeviceSessionRegistry,
} from './device-session-registry.ts';
import { DeviceSnapshotSync } from './access-snapshot/device-snapshot-sync.ts';
import type { UnreadableCredential } from './access-snapshot/members-with-credentials.ts';
import { ServedRevisions } from './access-snapshot/served-revisions.ts';
import { SnapshotPublisher } from './snapshot-publisher.ts';
import type { DeviceTransport } from './transport/device-transport-interface.ts';
import { EmbeddedBroker } from './transport/embedded-broker.ts';
import { ExternalBrokerClient } from './transport/external-broker-client.ts';
import { endStoredSessions } from './uplink/end-stored-sessions.ts';
import { handleGoodbye } from './uplink/handlers/goodbye.ts';
import { DeviceEventRates } from './uplink/events/event-rates.ts';
import { HelloRecorder } from './uplink/hello-recorder.ts';
import {
  ORGANIZATION_COUNTER_RAISE_RATE_LIMIT,
  COUNTER_RAISE_INCIDENT_LIMIT,
} from './uplink/data-loss-recovery/raise-organization-counters.ts';
import { repeatRecoveryRequests } from './uplink/data-loss-recovery/reconcile-revocations-before-sync.ts';
import { restoreAndSyncDeviceSession } from './uplink/restore-device-session.ts';
import { sendTimeMessage } from './uplink/send-time-message.ts';
import { handleUplinkMessage } from './uplink/uplink-dispatcher.ts';
import type { UplinkDependencies } from './uplink/uplink-dependencies.ts';

export interface DeviceConnectionServiceOptions {
  /** URL of an external broker. Default: an embedded broker. */
  readonly mqttUrl?: string | undefined;
  /** PEM certificate of the authority of that broker, if it is neither public nor the bridge's own. */
  readonly mqttCa?: string | undefined;
  /** Replaces the broker. */
  readonly transport?: DeviceTransport | undefined;
  /** Limit how long a controller takes to respond. Default: real time. */
  readonly timers?: Timers | undefined;
  /** Size of a snapshot chunk, before compression. */
  readonly chunkCharacters?: number | undefined;
  /** How many events a controller may send. Default: see `DEVICE_EVENT_RATE_LIMIT`. */
  readonly deviceEventRateLimit?: RateLimit | undefined;
  /** Called for every login that the embedded broker refuses. */
  readonly onRefusedLogin?: ((reason: string) => void) | undefined;
  /** Called for every message of a device, after it was handled. */
  readonly onUplinkMessage?: ((kind: string, result: 'accepted' | 'rejected' | 'dropped') => void) | undefined;
}

const unreadableMessage = ({ member_pin_id }: UnreadableCredential): string =>
  `${member_pin_id === undefined ? 'Magic link' : 'PIN'} cannot be read and is missing at the doors. Delete it and create another one`;
const MAX_PENDING = 256;
const POLL_MS = 1000;
const LIVENESS_CHECK_MS = 30_000;
/** Devices request the time every two minutes. */
const MAX_SILENCE_MS = 300_000;

interface PeriodicWork {
  readonly everyMs: number;
  readonly work: () => Promise<unknown>;
}

interface ConnectionParts {
  readonly transport: DeviceTransport;
  readonly gateways: GatewayDeviceRegistry;
  readonly sessions: DeviceSessionRegistry;
  readonly refusedLogins: DroppedMessageReporter;
}

/** Connects the bridge with controllers and gateways: broker, sessions, snapshots, actions and roll-outs. */
export class DeviceConnectionService {
  readonly transport: DeviceTransport;
  /** Null with an external broker. */
  readonly broker: EmbeddedBroker | null;
  readonly actions: MqttActionExecutor;
  readonly technicians: TechnicianRequestForwarder;
  readonly sessions: DeviceSessionRegistry;
  /** PINs and magic links that cannot be read. Cleared every hour, and set again by the next snapshot that misses one. */
  readonly faults: FaultRegistry<UnreadableCredential>;
  readonly authority: () => Promise<CertificateAuthority>;
  #brokerAddresses: BrokerAddresses = { mqtts: null, mqtt: null };
  readonly #services: BridgeServices;
  readonly #served: ServedRevisions;
  readonly #uplink: UplinkDependencies;
  readonly #stop = new AbortController();
  readonly #retry = createRetryDuringOutage(this.#stop.signal);
  readonly #uplinkQueue: KeyedTaskQueue;
  readonly #syncQueue: KeyedTaskQueue;
  readonly #snapshots: SnapshotPublisher;
  readonly #dropped: DroppedMessageReporter;
  readonly #refusedLogins: DroppedMessageReporter;
  readonly #onUplinkMessage: NonNullable<DeviceConnectionServiceOptions['onUplinkMessage']>;
  readonly #onError: (error: unknown) => void;
  readonly #tasks: readonly PeriodicTask[];
  #isClosing = false;
  #messageCount = 0;

  private constructor(
    services: BridgeServices,
    log: FastifyBaseLogger,
    options: DeviceConnectionServiceOptions,
    { transport, gateways, sessions, refusedLogins }: ConnectionParts,
  ) {
    this.sessions = sessions;
    this.#refusedLogins = refusedLogins;
    this.#onUplinkMessage = options.onUplinkMessage ?? (() => undefined);
    const onError = createBackgroundErrorLogger(log, 'Device communication failed');
    this.#onError = onError;
    this.#services = services;
    this.faults = new FaultRegistry(services.clock);
    this.faults.onChange(({ member_id, member_pin_id, member_magic_link_id, message }, change) => {
      if (change === 'begun') log.error({ member_id, member_pin_id, member_magic_link_id }, message);
    });
    this.transport = transport;
    this.broker = transport instanceof EmbeddedBroker ? transport : null;
    this.authority = services.authority;
    const { storage } = services;
    const signers = new OrganizationSignerCache(services);
    const counters = new DownlinkCounterAllocator(storage);
    const downlink = new DownlinkSender(transport, signers, counters);
    const { timers = processTimers, chunkCharacters } = options;
    this.actions = new MqttActionExecutor(services, sessions, downlink, timers);
    this.technicians = new TechnicianRequestForwarder({ services, sessions, downlink, timers });
    sessions.onClosed(deviceId => this.technicians.onDisconnect(deviceId));
    this.#served = new ServedRevisions(storage, onError);
    const onDigestMismatch = (device_id: string, revision: number): void =>
      log.warn({ device_id, revision }, 'Snapshot digest mismatch: the controller gets a new snapshot');
    const sync = new DeviceSnapshotSync({
      services,
      sessions,
      downlink,
      served: this.#served,
      onDigestMismatch,
      onWaitingGateway: session => this.#endSession(session),
      onUnreadable: credential => {
        const id = credential.member_pin_id ?? credential.member_magic_link_id;
        this.faults.set(`credential:${id}`, unreadableMessage(credential), credential);
      },
      chunkCharacters,
    });
    this.#uplinkQueue = new KeyedTaskQueue(MAX_PENDING, onError);
    this.#syncQueue = new KeyedTaskQueue(MAX_PENDING, onError);
    const enqueueSync = (deviceId: string, task: () => Promise<void>): void => {
      if (this.#syncQueue.enqueue(deviceId, () => this.#retry(task))) return;
      this.#dropped.add({ device_id: deviceId, kind: 'sync', reason: 'queue is full' });
    };
    const revocations = new RevocationPublisher({ services, transport, signers, downlink, onError });
    const beforePush = async (id: string): Promise<void> => {
      await revocations.whenSent(id);
      await gateways.refreshSiteDevices(storage, id);
    };
    this.#snapshots = new SnapshotPublisher(sessions, sync, enqueueSync, beforePush, onError);
    this.#dropped = new DroppedMessageReporter(dropped => log.warn(dropped, 'Dropped a message from a controller'));
    const { actions, technicians } = this;
    const hellos = new HelloRecorder(services.writer, counters);
    const rollouts = new RolloutCoordinator({ services, sessions, downlink });
    const shared = { services, transport, sessions, downlink, revocations, gateways, rollouts };
    const monotonic = (): number => performance.now();
    const limiters = {
      counterRaises: new RateLimiter(ORGANIZATION_COUNTER_RAISE_RATE_LIMIT, monotonic),
      raiseIncidents: new RateLimiter(COUNTER_RAISE_INCIDENT_LIMIT, monotonic),
      eventRates: new DeviceEventRates(monotonic, options.deviceEventRateLimit),
    };
    this.#uplink = { ...shared, ...limiters, hellos, sync, actions, technicians, enqueueSync, retry: this.#retry };
    services.writer.onCommitted(recorded => this.#onCommitted(recorded));
    // Controllers that receive the time send again what was not stored.
    storage.monitor.onRecovered(() => void this.broadcastTime().catch(onError));
    this.#tasks = this.#periodicTasks().map(({ everyMs, work }) => new PeriodicTask(work, everyMs, onError));
  }

  static async open(
    app: FastifyInstance,
    services: BridgeServices,
    options: DeviceConnectionServiceOptions,
  ): Promise<DeviceConnectionService> {
    const gateways = new GatewayDeviceRegistry();
    const sessions = new DeviceSessionRegistry();
    const { log } = app;
    const registerGateway = (identity: AuthenticatedDevice | null): AuthenticatedDevice | null => {
      if (identity?.siteDevices != null)
        gateways.register(identity.deviceId, identity.organizationId, identity.siteDevices);
      return identity;
    };
    const refusedLogins = new DroppedMessageReporter(({ device_id, reason, place: address }) =>
      log.warn({ device_id, reason, address }, 'Refused an MQTT login'),
    );
    const transport =
      options.transport ??
      (options.mqttUrl === undefined
        ? await EmbeddedBroker.start({
            byCertificate: (serial, name) =>
              authenticateDeviceByCertificate(services, serial, name).then(registerGateway),
            byPassword: (name, password) =>
              authenticateDeviceByPassword(services, name, password).then(registerGateway),
            siteDevicesOf: gateway => gateways.devicesAtSiteOf(gateway),
            // Events have a queue of their own, so their answer may precede the session.
            isRoutedThrough: (gateway, device, kind) =>
              sessions.of(device)?.origin.from === gateway ||
              ((kind === 'ack' || kind === 'rules') && gateways.hasForwarded(gateway, device)),
            now: services.clock,
            log: (level, message, facts) => log[level](facts ?? {}, message),
            onRefusedLogin: ({ deviceId, reason, address }) => {
              refusedLogins.add({ device_id: deviceId, kind: 'login', reason, place: address });
              options.onRefusedLogin?.(reason);
            },
          })
        : await ExternalBrokerClient.connect({
            url: options.mqttUrl,
            authorities: [(await services.authority()).certificate, options.mqttCa ?? []].flat(),
            log: (level, message, facts) => log[level](facts ?? {}, message),
          }));
    const devices = new DeviceConnectionService(services, log, options, {
      transport,
      gateways,
      sessions,
      refusedLogins,
    });
    try {
      if (devices.broker !== null) await devices.#deleteStoredSessions();
      devices.#serve(app);
      // With PostgreSQL another bridge may own these sessions; a controller that lacks data can ask any bridge.
      if (transport instanceof ExternalBrokerClient && services.storage.engine === 'sqlite')
        await devices.#restoreSessions();
      return devices;
    } catch (error) {
      await devices.close();
      throw error;
    }
  }

  #serve(app: FastifyInstance): void {
    const { transport } = this;
    transport.onMessage((topic, payload, from) => this.#onMessage(topic, payload, this.#origin(from ?? null)));
    transport.onConnectionChange((deviceId, isConnected) => {
      if (isConnected || this.#isClosing) return;
      const origin = this.#origin(deviceId);
      this.#uplinkQueue.enqueue(deviceId, () => this.#retry(() => handleGoodbye(this.#uplink, deviceId, null, origin)));
    });
    serveClaimRoutes(app, {
      services: this.#services,
      authority: this.authority,
      brokers: () => this.#brokerAddresses,
      disconnect: deviceId => this.#disconnect(deviceId),
    });
    for (const task of this.#tasks) task.start();
  }

  #origin(from: string | null): UplinkMessageOrigin {
    return { from, order: ++this.#messageCount };
  }

  #onMessage(topic: string, payload: Uint8Array, origin: UplinkMessageOrigin): void {
    const parsed = parseMqttTopic(topic);
    if (parsed?.direction !== 'up') {
      return this.#dropped.add({ device_id: origin.from, kind: topic, reason: 'unknown topic' });
    }
    const { device_id, kind } = parsed;
    // Events need no session. A hello that waited for many of them would be repeated before it is answered.
    const queue = kind === 'events' ? `${device_id} events` : device_id;
    const isQueued = this.#uplinkQueue.enqueue(queue, async () => {
      const rejection = await handleUplinkMessage(this.#uplink, parsed, payload, origin);
      this.#onUplinkMessage(kind, rejection === null ? 'accepted' : 'rejected');
      if (rejection !== null) this.#dropped.add({ device_id, kind, ...rejection });
    });
    if (isQueued) return;
    this.#onUplinkMessage(kind, 'dropped');
    this.#dropped.add({ device_id, kind, reason: 'queue is full' });
  }

  /** After a restart of this process no device is connected to the embedded broker. */
  async #deleteStoredSessions(): Promise<void> {
    const { storage, writer } = this.#services;
    const links = await storage.reader
      .selectFrom('device_links')
      .select(['device_id', 'organization_id', 'session_nonce'])
      .where('session_nonce', 'is not', null)
      .execute();
    const updates = [...Map.groupBy(links, link => link.organization_id)].map(([organizationId, ofOrganization]) => {
      const end = (): Promise<unknown> =>
        writer.write(organizationId, systemActor, context =>
          endStoredSessions(
            context,
            ofOrganization.map(({ device_id, session_nonce }) => ({ deviceId: device_id, nonce: session_nonce! })),
          ),
        );
      return end().catch((error: unknown) => {
        if (!isStorageOutageError(error)) throw error;
        // A bridge whose disk is full serves what it can. Later sessions have other nonces.
        this.#retry(end).catch(this.#onError);
      });
    });
    await Promise.all(updates);
  }

  /** An external broker keeps connections while the bridge restarts. */
  async #restoreSessions(): Promise<void> {
    const links = await this.#services.storage.reader
      .selectFrom('device_links as l')
      .innerJoin('devices as d', 'd.id', 'l.device_id')
      .select(['l.device_id', 'l.organization_id', 'd.gateway_id'])
      .where('l.session_nonce', 'is not', null)
      .execute();
    for (const [gateway, devices] of Map.groupBy(links, ({ gateway_id }) => gateway_id)) {
      if (gateway === null) continue;
      const connected = new Set(devices.map(({ device_id }) => device_id as DeviceId));
      this.#uplink.gateways.setConnected(gateway, devices[0]!.organization_id, connected);
    }
    for (const { device_id } of links)
      this.#uplinkQueue.enqueue(device_id, () => this.#restoreDeviceSession(device_id));
  }

  async #restoreDeviceSession(deviceId: string): Promise<void> {
    if (this.sessions.of(deviceId) === undefined) await restoreAndSyncDeviceSession(this.#uplink, deviceId);
  }

  #onCommitted({ organizationId, hasChanges: changed, events }: RecordedOrganizationChanges): void {
    if (changed) this.#snapshots.schedulePush(organizationId);
    for (const { verb, object_type, object_device_id } of events) {
      const isDeleted = verb === 'delete' && (object_type === 'device' || object_type === 'hardware');
      if (isDeleted && object_device_id !== null) this.#disconnect(object_device_id);
    }
  }

  #disconnect(deviceId: string): void {
    this.sessions.close(deviceId);
    this.#uplink.sync.forget(deviceId);
    this.transport.disconnect(deviceId);
  }

  #endSession({ deviceId, nonce }: ActiveDeviceSession): void {
    const origin = this.#origin(null);
    this.#uplinkQueue.enqueue(deviceId, () => handleGoodbye(this.#uplink, deviceId, nonce, origin));
  }

  /** A gateway or broker that keeps the goodbye of a device back cannot keep the device online. */
  async #endSilentSessions(): Promise<void> {
    // With shared subscriptions other bridges receive messages of the device, too.
    if (this.transport instanceof ExternalBrokerClient && this.transport.isShared) return;
    const earliest = performance.now() - MAX_SILENCE_MS;
    for (const session of this.sessions.all()) if (session.lastMessageAt < earliest) this.#endSession(session);
  }

  #periodicTasks(): PeriodicWork[] {
    const { storage, deletionClock } = this.#services;
    return [
      { everyMs: POLL_MS, work: () => this.#snapshots.pushExternalChanges(storage) },
      { everyMs: POLL_MS, work: () => this.#uplink.rollouts.advanceRollouts() },
      { everyMs: POLL_MS, work: () => repeatRecoveryRequests(this.#uplink) },
      { everyMs: LIVENESS_CHECK_MS, work: () => this.#endSilentSessions() },
      {
        everyMs: HOUR_MS,
        work: async () => {
          this.#dropped.resetReported();
          this.#refusedLogins.resetReported();
          for (const { code } of this.faults.list()) this.faults.clear(code);
          await deleteOldAccessChanges(storage, deletionClock.now(null));
          await this.broadcastTime();
        },
      },
    ];
  }

  /** Sends the time and the current revision to all connected devices. Runs every hour. */
  async broadcastTime(): Promise<void> {
    for (const session of this.sessions.all()) await sendTimeMessage(this.#uplink, session, session.nonce);
    await this.#snapshots.pushAll();
  }

  /** The broker addresses that controllers receive when they are claimed. */
  set brokerAddresses(addresses: BrokerAddresses) {
    this.#brokerAddresses = addresses;
  }

  get droppedMessages(): number {
    return this.#dropped.count;
  }

  /** Resolves when all received messages are processed. */
  async whenIdle(): Promise<void> {
    await this.#uplinkQueue.whenIdle();
    await this.#syncQueue.whenIdle();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#stop.abort();
    this.actions.close();
    this.technicians.close();
    this.#snapshots.close();
    for (const task of this.#tasks) await task.stop();
    await this.transport.close();
    await this.whenIdle();
    await this.#served.close();
  }
}
