import { randomBytes } from 'node:crypto';
import { type EventId, createIdGenerator } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { DeviceSession } from '@lintel/device-link/session/device-session';
import { volatileReplayWindowStore } from '@lintel/device-link/session/downlink/replay-window-store-interface';
import { decompressFrameBody } from '@lintel/device-link/session/frames/frame-body-compression';
import type { EnrolledDeviceIdentity, SessionLink } from '@lintel/device-link/session/session-link-interface';
import type { SnapshotChunkStorageResult } from '@lintel/device-link/session/snapshot/snapshot-storage-interface';
import { StagedSnapshotChunks } from '@lintel/device-link/session/snapshot/in-memory-staged-chunks';
import { UplinkCounter, volatileUplinkCounterStore } from '@lintel/device-link/session/uplink/uplink-counter';
import { toUncompressedFrameBody, UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { signBrokerLoginProof } from '@lintel/wire-protocol/claiming/broker-login';
import type { ActionMqttMessage } from '@lintel/wire-protocol/mqtt/messages/action';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import {
  buildDeviceDownlinkFilter,
  parseMqttTopic,
  buildRevocationTopic,
  type UplinkMessageKind,
  buildUplinkTopic,
} from '@lintel/wire-protocol/mqtt/topics';
import { CompactFleetSnapshot } from './compact-snapshot.ts';
import type { FleetBrokerConnector } from './broker-connector.ts';
import { FleetEventQueue, type UnnumberedFleetEvent } from './event-queue.ts';
import { type FleetDevice, createFleetDeviceIdentity, type FleetOrganization } from './fleet-device-identity.ts';
import { type FleetMetrics, monotonicNowMs } from './fleet-metrics.ts';
import { FleetMqttConnection } from './fleet-mqtt-connection.ts';

const KEEP_ALIVE_SECONDS = 120;
/** Share of taps with an unknown credential. */
const UNKNOWN_CREDENTIAL_SHARE = 0.04;
const NONCE_BYTES = 16;

const wallClock = (): Instant => instant(Date.now());
const wall = { now: wallClock, setByBridge: () => undefined };
const newId = createIdGenerator(wallClock, randomBytes);
const newNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url');

/** Throws on a defect of the simulator. Other faults are expected under load. */
const setFault = (code: string, message: string | null): void => {
  if (code === 'internal' && message !== null) throw new Error(message);
};

export interface FleetControllerOptions {
  readonly organization: FleetOrganization;
  readonly connector: FleetBrokerConnector;
  readonly metrics: FleetMetrics;
  readonly clock: MonotonicClock;
  readonly onLost: (controller: FleetController) => void;
  /** Called when the bridge has committed all events of a controller. */
  readonly onCommitted: () => void;
}

/** A controller at protocol level: a device session without firmware. */
export class FleetController implements SessionLink {
  readonly #device: FleetDevice;
  readonly #self: EnrolledDeviceIdentity;
  readonly #options: FleetControllerOptions;
  readonly #publisher: UplinkPublisher;
  readonly #session: DeviceSession;
  readonly #snapshot: CompactFleetSnapshot;
  readonly #events: FleetEventQueue;
  #connection: FleetMqttConnection | null = null;
  #connectStartedAt = 0;
  #isConnected = false;
  #isOnline = false;
  #isServing = false;

  constructor(device: FleetDevice, options: FleetControllerOptions) {
    const { counts } = options.metrics;
    this.#device = device;
    this.#self = createFleetDeviceIdentity(device, options.organization);
    this.#options = options;
    this.#snapshot = new CompactFleetSnapshot(device.device_id);
    this.#events = new FleetEventQueue({
      onCommitted: since => this.#committed(since),
      onResent: () => counts.resent_batches++,
    });
    // Compression costs more CPU time than it saves network bandwidth.
    this.#publisher = new UplinkPublisher(this, {
      counter: new UplinkCounter(volatileUplinkCounterStore, Date.now()),
      compress: toUncompressedFrameBody,
    });
    this.#session = this.#newSession(new StagedSnapshotChunks(this.#snapshot));
  }

  #newSession(staged: StagedSnapshotChunks): DeviceSession {
    const { clock, metrics } = this.#options;
    return new DeviceSession({
      link: this,
      publisher: this.#publisher,
      clock,
      wall,
      log: () => undefined,
      newNonce,
      setFault,
      describe: () => ({
        firmware: 'lintel fleet',
        product_id: 'virtual',
        digest_key_id: this.#device.digest_key_id,
        event_sequence: this.#events.sequence,
        clock: { time: wallClock(), trusted: true, source: 'ntp' },
      }),
      downlinkWindow: volatileReplayWindowStore,
      revocationWindow: volatileReplayWindowStore,
      snapshots: {
        held: () => staged.held(),
        pendingTransfer: () => staged.pendingTransfer(),
        receive: chunk => this.#countChunk(staged.receive(chunk)),
      },
      // Synchronous: thousands of background jobs would need too much memory.
      decompressSnapshots: decompressFrameBody,
      events: this.#events,
      revoke: ({ revision, member_ids }) => {
        metrics.counts.revocations++;
        this.#snapshot.revoke(revision, member_ids);
        return 0;
      },
      upToDate: () => undefined,
      services: () => ({
        handlers: { action: request => this.#executeAction(request) },
        services: [{ timeReceived: () => this.#timeReceived() }],
      }),
    });
  }

  get waiting(): number {
    return this.#events.size;
  }

  /** Messages that were rejected. */
  get dropped(): number {
    return this.#session.dropped;
  }

  identity(): EnrolledDeviceIdentity {
    return this.#self;
  }

  async publish(kind: UplinkMessageKind, payload: Uint8Array): Promise<void> {
    this.#connection?.publish(buildUplinkTopic(this.#self.device_id, kind), payload);
  }

  reconnect(): void {
    this.#connection?.close();
  }

  /** Resolves when the hello is sent. Rejects when the connection fails. */
  async connect(): Promise<void> {
    const { connector, metrics } = this.#options;
    const { device_id, organization_id } = this.#self;
    this.#connectStartedAt = monotonicNowMs();
    const goodbye = this.#session.lastWill();
    const socket = await connector.connect(this.#device);
    const connection: FleetMqttConnection = new FleetMqttConnection(socket, {
      onMessage: (topic, payload) => this.#receive(topic, payload),
      onClosed: () => this.#lost(connection),
    });
    this.#connection = connection;
    await connection.open({
      clientId: device_id,
      password: connector.isPlain ? this.#password() : null,
      filters: [buildDeviceDownlinkFilter(device_id), buildRevocationTopic(organization_id)],
      will: { topic: buildUplinkTopic(device_id, 'goodbye'), payload: goodbye },
      keepAliveSeconds: KEEP_ALIVE_SECONDS,
    });
    this.#isConnected = true;
    metrics.counts.connected++;
    this.#session.connected();
  }

  #password(): string {
    const { device_id, serial } = this.#self;
    return signBrokerLoginProof({ v: 1, device_id, serial, at: wallClock() }, bytes => this.#self.sign(bytes));
  }

  #lost(connection: FleetMqttConnection): void {
    if (this.#connection !== connection) return;
    const { counts } = this.#options.metrics;
    this.#connection = null;
    // A connection that was never accepted makes `connect` reject.
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#session.disconnected();
    counts.lost_lines++;
    counts.connected--;
    if (this.#isOnline) counts.greeted--;
    if (this.#isServing) counts.serving--;
    this.#isOnline = false;
    this.#isServing = false;
    this.#options.onLost(this);
  }

  #receive(topic: string, payload: Buffer): void {
    const parsed = parseMqttTopic(topic);
    if (parsed !== null && parsed.direction !== 'up') this.#session.receive(parsed.kind, payload);
  }

  #timeReceived(): void {
    if (this.#isOnline) return;
    const { counts, clocks, histograms } = this.#options.metrics;
    this.#isOnline = true;
    counts.greeted++;
    clocks.last_greeted_at = monotonicNowMs();
    histograms.connect.add(clocks.last_greeted_at - this.#connectStartedAt);
  }

  #countChunk(received: SnapshotChunkStorageResult): SnapshotChunkStorageResult {
    const { counts, clocks, histograms } = this.#options.metrics;
    if (received.kind === 'refused' && received.reason === 'wrong_digest') counts.wrong_digests++;
    if (received.kind !== 'applied' || this.#isServing || !this.#isConnected) return received;
    this.#isServing = true;
    counts.serving++;
    clocks.last_serving_at = monotonicNowMs();
    histograms.sync.add(clocks.last_serving_at - this.#connectStartedAt);
    return received;
  }

  #committed(since: readonly number[]): void {
    const { metrics, onCommitted } = this.#options;
    const now = monotonicNowMs();
    for (const at of since) {
      metrics.counts.committed++;
      metrics.histograms.commit.add(now - at);
      metrics.clocks.last_committed_at = now;
    }
    if (this.#events.size === 0) onCommitted();
  }

  /** Executes an action that the bridge requests. */
  #executeAction({ session_nonce, request_id, gadget_id, action_id, subject }: ActionMqttMessage): void {
    const isKnown = session_nonce === this.#session.nonce && this.#snapshot.door?.gadget_id === gadget_id;
    const event_id = isKnown ? newId('event') : null;
    const outcome = isKnown ? 'done' : session_nonce === this.#session.nonce ? 'not_found' : 'wrong_nonce';
    this.#options.metrics.counts.actions++;
    if (event_id !== null) {
      this.#record({ ...this.#event(event_id, 'use'), gadget_id, gadget_action_id: action_id, subject, request_id });
    }
    void this.#publisher.publish('action-result', { v: 1, request_id, outcome, reason: null, event_id });
  }

  #event(id: EventId, kind: DeviceEvent['kind']): UnnumberedFleetEvent {
    return { id, kind, occurred_at: wallClock(), time_trusted: true };
  }

  /** Presents a credential, usually of a member. Returns false before the snapshot contains a door. */
  tap(random: () => number): boolean {
    const { door } = this.#snapshot;
    if (door === null) return false;
    const { gadget_id, action_id } = door;
    const target = { gadget_id: gadget_id as never, gadget_action_id: action_id };
    const member = random() < UNKNOWN_CREDENTIAL_SHARE ? null : this.#snapshot.pickMember(random());
    const id = newId('event');
    this.#options.metrics.counts.taps++;
    this.#record(
      member === null
        ? { ...this.#event(id, 'deny'), ...target, subject: { access_method: 'pin' }, reason: 'unknown_credential' }
        : { ...this.#event(id, 'use'), ...target, subject: { ...member, access_method: 'pin' } },
    );
    return true;
  }

  #record(event: UnnumberedFleetEvent): void {
    this.#events.add(event, monotonicNowMs());
    this.#session.events.wake();
  }

  ping(): void {
    this.#connection?.ping();
  }

  /** Sends the goodbye and disconnects. */
  stop(): void {
    const connection = this.#connection;
    this.#connection = null;
    const goodbye = this.#session.stop();
    connection?.publish(buildUplinkTopic(this.#self.device_id, 'goodbye'), goodbye, () => connection.close());
  }
}
