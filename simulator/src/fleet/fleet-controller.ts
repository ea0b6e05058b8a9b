import { randomBytes } from 'node:crypto';
import { type EventId, idSource } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { DeviceSession } from '@lintel/device-link/session/device-session';
import { volatileWindowStore } from '@lintel/device-link/session/downlink/replay-window-store';
import { decompress } from '@lintel/device-link/session/frames/frame-body';
import type { DeviceIdentity, SessionLink } from '@lintel/device-link/session/session-link';
import type { ReceivedChunk } from '@lintel/device-link/session/snapshot/snapshot-storage';
import { StagedChunks } from '@lintel/device-link/session/snapshot/staged-chunks';
import { uncompressed, UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { encodeBrokerLogin } from '@lintel/wire-protocol/claiming/broker-login';
import type { Action } from '@lintel/wire-protocol/mqtt/messages/action';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { ownDownFilter, parseTopic, revokeTopic, type UpKind, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { CompactSnapshot } from './compact-snapshot.ts';
import type { Dialing } from './dialing.ts';
import { EventQueue, type UnnumberedEvent } from './event-queue.ts';
import { type FleetMember, identityOf, type Organization } from './fleet-member.ts';
import { type FleetTally, monotonicMs } from './fleet-tally.ts';
import { MqttLine } from './mqtt-line.ts';

const KEEP_ALIVE_SECONDS = 120;
/** The share of taps with an unknown credential. */
const STRANGERS = 0.04;
const NONCE_BYTES = 16;

const wallClock = (): Instant => instant(Date.now());
const wall = { now: wallClock, setByBridge: () => undefined };
const newId = idSource(wallClock, randomBytes);
const newNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url');

/** Only a defect of the fleet itself must not go unnoticed. */
const setFault = (code: string, message: string | null): void => {
  if (code === 'internal' && message !== null) throw new Error(message);
};

export interface ControllerParts {
  readonly organization: Organization;
  readonly dialing: Dialing;
  readonly tally: FleetTally;
  readonly clock: MonotonicClock;
  readonly onLost: (controller: FleetController) => void;
  /** The bridge has committed all its events. */
  readonly onCommitted: () => void;
}

/** A controller at protocol level: the device session without a door. */
export class FleetController implements SessionLink {
  readonly #member: FleetMember;
  readonly #self: DeviceIdentity;
  readonly #parts: ControllerParts;
  readonly #publisher: UplinkPublisher;
  readonly #session: DeviceSession;
  readonly #snapshot: CompactSnapshot;
  readonly #events: EventQueue;
  #line: MqttLine | null = null;
  #dialedAt = 0;
  #isConnected = false;
  #isGreeted = false;
  #isServing = false;

  constructor(member: FleetMember, parts: ControllerParts) {
    const { counts } = parts.tally;
    this.#member = member;
    this.#self = identityOf(member, parts.organization);
    this.#parts = parts;
    this.#snapshot = new CompactSnapshot(member.device_id);
    this.#events = new EventQueue({
      onCommitted: since => this.#committed(since),
      onResent: () => counts.resent_batches++,
    });
    // Compressing costs the simulating machine more than it saves on its network.
    this.#publisher = new UplinkPublisher(this, { firstCounter: Date.now(), compress: uncompressed });
    this.#session = this.#newSession(new StagedChunks(this.#snapshot));
  }

  #newSession(staged: StagedChunks): DeviceSession {
    const { clock, tally } = this.#parts;
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
        digest_key_id: this.#member.digest_key_id,
        event_sequence: this.#events.sequence,
        clock: { time: wallClock(), trusted: true, source: 'ntp' },
      }),
      downlinkWindow: volatileWindowStore,
      revocationWindow: volatileWindowStore,
      snapshots: {
        held: () => staged.held(),
        underWay: () => staged.underWay(),
        receive: chunk => this.#countChunk(staged.receive(chunk)),
      },
      // In the background, thousands at once would need memory for each of them.
      decompressSnapshots: decompress,
      events: this.#events,
      revoke: ({ revision, member_ids }) => {
        tally.counts.revocations++;
        this.#snapshot.revoke(revision, member_ids);
        return 0;
      },
      upToDate: () => undefined,
      services: () => ({
        handlers: { action: request => this.#act(request) },
        members: [{ timeReceived: () => this.#greeted() }],
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

  identity(): DeviceIdentity {
    return this.#self;
  }

  async publish(kind: UpKind, payload: Uint8Array): Promise<void> {
    this.#line?.publish(upTopic(this.#self.device_id, kind), payload);
  }

  reconnect(): void {
    this.#line?.close();
  }

  /** Settles when the hello is sent. Rejects when there is no connection. */
  async connect(): Promise<void> {
    const { dialing, tally } = this.#parts;
    const { device_id, organization_id } = this.#self;
    this.#dialedAt = monotonicMs();
    const goodbye = this.#session.lastWill();
    const socket = await dialing.dial(this.#member);
    const line: MqttLine = new MqttLine(socket, {
      onMessage: (topic, payload) => this.#receive(topic, payload),
      onClosed: () => this.#lost(line),
    });
    this.#line = line;
    await line.open({
      clientId: device_id,
      password: dialing.isPlain ? this.#password() : null,
      filters: [ownDownFilter(device_id), revokeTopic(organization_id)],
      will: { topic: upTopic(device_id, 'goodbye'), payload: goodbye },
      keepAliveSeconds: KEEP_ALIVE_SECONDS,
    });
    this.#isConnected = true;
    tally.counts.connected++;
    this.#session.connected();
  }

  #password(): string {
    const { device_id, serial } = this.#self;
    return encodeBrokerLogin({ v: 1, device_id, serial, at: wallClock() }, bytes => this.#self.sign(bytes));
  }

  #lost(line: MqttLine): void {
    if (this.#line !== line) return;
    const { counts } = this.#parts.tally;
    this.#line = null;
    // A connection that was never accepted makes `connect` reject.
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#session.disconnected();
    counts.lost_lines++;
    counts.connected--;
    if (this.#isGreeted) counts.greeted--;
    if (this.#isServing) counts.serving--;
    this.#isGreeted = false;
    this.#isServing = false;
    this.#parts.onLost(this);
  }

  #receive(topic: string, payload: Buffer): void {
    const parsed = parseTopic(topic);
    if (parsed !== null && parsed.direction !== 'up') this.#session.receive(parsed.kind, payload);
  }

  #greeted(): void {
    if (this.#isGreeted) return;
    const { counts, clocks, histograms } = this.#parts.tally;
    this.#isGreeted = true;
    counts.greeted++;
    clocks.last_greeted_at = monotonicMs();
    histograms.connect.add(clocks.last_greeted_at - this.#dialedAt);
  }

  #countChunk(received: ReceivedChunk): ReceivedChunk {
    const { counts, clocks, histograms } = this.#parts.tally;
    if (received.kind === 'refused' && received.reason === 'wrong_digest') counts.wrong_digests++;
    if (received.kind !== 'applied' || this.#isServing || !this.#isConnected) return received;
    this.#isServing = true;
    counts.serving++;
    clocks.last_serving_at = monotonicMs();
    histograms.sync.add(clocks.last_serving_at - this.#dialedAt);
    return received;
  }

  #committed(since: readonly number[]): void {
    const { tally, onCommitted } = this.#parts;
    const now = monotonicMs();
    for (const at of since) {
      tally.counts.committed++;
      tally.histograms.commit.add(now - at);
      tally.clocks.last_committed_at = now;
    }
    if (this.#events.size === 0) onCommitted();
  }

  /** An operator opens the door remotely. */
  #act({ session_nonce, request_id, gadget_id, action_id, subject }: Action): void {
    const isOurs = session_nonce === this.#session.nonce && this.#snapshot.door?.gadget_id === gadget_id;
    const event_id = isOurs ? newId('event') : null;
    const outcome = isOurs ? 'done' : session_nonce === this.#session.nonce ? 'not_found' : 'wrong_nonce';
    this.#parts.tally.counts.actions++;
    if (event_id !== null) {
      this.#record({ ...this.#event(event_id, 'use'), gadget_id, gadget_action_id: action_id, subject, request_id });
    }
    void this.#publisher.publish('action-result', { v: 1, request_id, outcome, reason: null, event_id });
  }

  #event(id: EventId, kind: DeviceEvent['kind']): UnnumberedEvent {
    return { id, kind, occurred_at: wallClock(), time_trusted: true };
  }

  /** A credential is presented, mostly of a member. Online or not; false when there is no door yet. */
  tap(random: () => number): boolean {
    const { door } = this.#snapshot;
    if (door === null) return false;
    const { gadget_id, action_id } = door;
    const place = { gadget_id: gadget_id as never, gadget_action_id: action_id };
    const guest = random() < STRANGERS ? null : this.#snapshot.guest(random());
    const id = newId('event');
    this.#parts.tally.counts.taps++;
    this.#record(
      guest === null
        ? { ...this.#event(id, 'deny'), ...place, subject: { access_method: 'pin' }, reason: 'unknown_credential' }
        : { ...this.#event(id, 'use'), ...place, subject: { ...guest, access_method: 'pin' } },
    );
    return true;
  }

  #record(event: UnnumberedEvent): void {
    this.#events.add(event, monotonicMs());
    this.#session.events.wake();
  }

  ping(): void {
    this.#line?.ping();
  }

  /** Sends the goodbye and disconnects. */
  stop(): void {
    const line = this.#line;
    this.#line = null;
    const goodbye = this.#session.stop();
    line?.publish(upTopic(this.#self.device_id, 'goodbye'), goodbye, () => line.close());
  }
}
