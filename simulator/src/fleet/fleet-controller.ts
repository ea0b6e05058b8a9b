import { randomBytes } from 'node:crypto';
import { type EventId, idSource } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { encodeBrokerLogin } from '@lintel/wire-protocol/claiming/broker-login';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { Action } from '@lintel/wire-protocol/mqtt/messages/action';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { CHUNKS_AT_ONCE, type Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import { encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { ownDownFilter, revokeTopic, type UpKind, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { Dialing } from './dialing.ts';
import { DownFrames, type DownReceiver, type Heard } from './down-frames.ts';
import { EventLane, type UnnumberedEvent } from './event-lane.ts';
import { type FleetMember, identityOf, type Identity } from './fleet-member.ts';
import { type FleetTally, monotonicMs } from './fleet-tally.ts';
import { HeldSlice } from './held-slice.ts';
import { MqttLine } from './mqtt-line.ts';

const KEEP_ALIVE_SECONDS = 120;
const PATIENCE_MS = 20_000;
/** How many taps are of somebody whom nobody knows. */
const STRANGERS = 0.04;
const NONCE_BYTES = 16;

const wallClock = (): Instant => instant(Date.now());
const newId = idSource(wallClock, randomBytes);

export interface ControllerParts {
  readonly home: Pick<DownReceiver, 'organizationId' | 'organizationKey'>;
  readonly dialing: Dialing;
  readonly tally: FleetTally;
  readonly onLost: (controller: FleetController) => void;
  /** Everything that it has said is committed. */
  readonly onCommitted: () => void;
}

/** A controller as far as the protocol goes: it checks what it is sent, proves what it holds, and waits for the bridge's word. */
export class FleetController {
  readonly #member: FleetMember;
  readonly #self: Identity;
  readonly #parts: ControllerParts;
  readonly #frames: DownFrames;
  readonly #slice: HeldSlice;
  readonly #events = new EventLane();
  #line: MqttLine | null = null;
  #nonce = '';
  #staged: Slice[] = [];
  #upCounter = Date.now();
  #dialedAt = 0;
  #isConnected = false;
  #isGreeted = false;
  #isServing = false;

  constructor(member: FleetMember, parts: ControllerParts) {
    this.#member = member;
    this.#self = identityOf(member);
    this.#parts = parts;
    this.#slice = new HeldSlice(member.device_id);
    this.#frames = new DownFrames({ ...parts.home, deviceId: this.#self.deviceId, serial: member.serial });
  }

  get waiting(): number {
    return this.#events.size;
  }

  /** Connected, and said hello. Rejects when there is no line to be had. */
  async connect(): Promise<void> {
    const { dialing, home, tally } = this.#parts;
    const { deviceId } = this.#self;
    this.#dialedAt = monotonicMs();
    this.#nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const socket = await dialing.dial(this.#member);
    const line: MqttLine = new MqttLine(socket, {
      onMessage: (topic, payload) => this.#hear(topic, payload),
      onClosed: () => this.#lost(line),
    });
    this.#line = line;
    const goodbye = encodeMessage('goodbye', { v: 1, session_nonce: this.#nonce, reason: 'lost' });
    await line.open({
      clientId: deviceId,
      password: dialing.isPlain ? this.#password() : null,
      filters: [ownDownFilter(deviceId), revokeTopic(home.organizationId)],
      will: { topic: upTopic(deviceId, 'goodbye'), payload: goodbye },
      keepAliveSeconds: KEEP_ALIVE_SECONDS,
    });
    this.#isConnected = true;
    tally.counts.connected++;
    this.#hello();
  }

  #password(): string {
    const { deviceId, serial, sign } = this.#self;
    return encodeBrokerLogin({ v: 1, device_id: deviceId, serial, at: wallClock() }, sign);
  }

  #hello(): void {
    this.#say('hello', {
      v: 1,
      speaks: [1],
      firmware: 'lintel fleet',
      product_id: 'virtual',
      session_nonce: this.#nonce,
      serial: this.#self.serial,
      digest_key_id: this.#self.digestKeyId,
      slice: this.#slice.held,
      resume: null,
      event_sequence: this.#events.sequence,
      down_counter: this.#frames.downCounter,
      revoke_counter: this.#frames.revokeCounter,
      clock: { time: wallClock(), trusted: true, source: 'ntp' },
    });
  }

  #say<K extends UpKind>(kind: K, message: Message<K>): void {
    this.#line?.publish(upTopic(this.#self.deviceId, kind), encodeMessage(kind, message));
  }

  #lost(line: MqttLine): void {
    if (this.#line !== line) return;
    const { counts } = this.#parts.tally;
    this.#line = null;
    // One that was never let in is told by the failure of `connect`.
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#staged = [];
    counts.lost_lines++;
    counts.connected--;
    if (this.#isGreeted) counts.greeted--;
    if (this.#isServing) counts.serving--;
    this.#isGreeted = false;
    this.#isServing = false;
    this.#parts.onLost(this);
  }

  #hear(topic: string, payload: Buffer): void {
    const opened = this.#frames.open(topic, payload);
    if (opened === null) return;
    if (!opened.ok) {
      this.#parts.tally.counts.refused_messages++;
      return;
    }
    this.#take(opened.value);
    if (this.#frames.takeMissed()) this.#askAnew();
  }

  #take(heard: Heard): void {
    const { tally } = this.#parts;
    if (heard.kind === 'time') this.#greeted(heard.message.nonce);
    else if (heard.kind === 'slice') this.#takeSlice(heard.message);
    else if (heard.kind === 'action') this.#act(heard.message);
    else if (heard.kind === 'revoke') {
      tally.counts.revocations++;
      this.#slice.revoke(heard.message.member_ids);
    } else if (heard.kind === 'ack') {
      const now = monotonicMs();
      for (const since of this.#events.acknowledged(heard.message)) {
        tally.counts.committed++;
        tally.histograms.commit.add(now - since);
        tally.clocks.last_committed_at = now;
      }
      if (this.#events.size > 0) this.#sendEvents();
      else this.#parts.onCommitted();
    }
  }

  #greeted(nonce: string): void {
    if (nonce !== this.#nonce || this.#isGreeted) return;
    const { counts, clocks, histograms } = this.#parts.tally;
    this.#isGreeted = true;
    counts.greeted++;
    clocks.last_greeted_at = monotonicMs();
    histograms.connect.add(clocks.last_greeted_at - this.#dialedAt);
    if (this.#events.size > 0) this.#publishBatch();
  }

  #takeSlice(chunk: Slice): void {
    if (chunk.chunk === 0) this.#staged = [];
    if (chunk.chunk !== this.#staged.length) return this.#askAnew();
    this.#staged.push(chunk);
    if (this.#staged.length === chunk.chunks) return this.#applySlice();
    if (this.#staged.length % CHUNKS_AT_ONCE !== 0) return;
    const resume = { revision: chunk.to, chunk: this.#staged.length };
    this.#say('sync-request', { v: 1, have: this.#slice.held, resume });
  }

  #applySlice(): void {
    const { counts, clocks, histograms } = this.#parts.tally;
    const verdict = this.#slice.apply(this.#staged);
    this.#staged = [];
    if (verdict === 'wrong digest') counts.wrong_digests++;
    if (verdict !== 'applied') return this.#askAnew();
    this.#say('serving', { v: 1, ...this.#slice.held!, at: wallClock() });
    if (this.#isServing) return;
    this.#isServing = true;
    counts.serving++;
    clocks.last_serving_at = monotonicMs();
    histograms.sync.add(clocks.last_serving_at - this.#dialedAt);
  }

  #askAnew(): void {
    this.#staged = [];
    this.#say('sync-request', { v: 1, have: this.#slice.held, resume: null });
  }

  /** Somebody at the desk opens the door. */
  #act({ session_nonce, request_id, gadget_id, action_id, subject }: Action): void {
    const isOurs = session_nonce === this.#nonce && this.#slice.door?.gadget_id === gadget_id;
    const event_id = isOurs ? newId('event') : null;
    const outcome = isOurs ? 'done' : session_nonce === this.#nonce ? 'not_found' : 'wrong_nonce';
    this.#parts.tally.counts.actions++;
    if (event_id !== null) {
      this.#tell({ ...this.#event(event_id, 'use'), gadget_id, gadget_action_id: action_id, subject, request_id });
    }
    this.#say('action-result', { v: 1, request_id, outcome, reason: null, event_id });
  }

  #event(id: EventId, kind: DeviceEvent['kind']): UnnumberedEvent {
    return { id, kind, occurred_at: wallClock(), time_trusted: true };
  }

  /** Somebody taps: mostly a guest of the house. Online or not; false where there is no door yet. */
  tap(random: () => number): boolean {
    const { door } = this.#slice;
    if (door === null) return false;
    const { gadget_id, action_id } = door;
    const place = { gadget_id: gadget_id as never, gadget_action_id: action_id };
    const guest = random() < STRANGERS ? null : this.#slice.guest(random());
    const id = newId('event');
    this.#parts.tally.counts.taps++;
    this.#tell(
      guest === null
        ? { ...this.#event(id, 'deny'), ...place, subject: { access_method: 'pin' }, reason: 'unknown_credential' }
        : { ...this.#event(id, 'use'), ...place, subject: { ...guest, access_method: 'pin' } },
    );
    return true;
  }

  #tell(event: UnnumberedEvent): void {
    this.#events.add(event, monotonicMs());
    if (this.#events.isFree) this.#sendEvents();
  }

  #sendEvents(): void {
    if (this.#isGreeted) this.#publishBatch();
  }

  #publishBatch(): void {
    const events = this.#events.batch(monotonicMs());
    if (events.length === 0) return;
    const { deviceId, serial, sign } = this.#self;
    const header = {
      v: 1,
      kind: 'events',
      signer: deviceId,
      audience: this.#parts.home.organizationId,
      serial,
      counter: ++this.#upCounter,
      encoding: 'identity',
    } as const;
    const body = encodeMessage('events', { v: 1, events: [...events] });
    this.#line?.publish(upTopic(deviceId, 'events'), encodeFrame(header, body, sign));
  }

  /** Once in a while: a sign of life, and what has stayed without an answer once more. */
  lookAfter(): void {
    this.#line?.ping();
    if (!this.#isGreeted || !this.#events.isLate(monotonicMs(), PATIENCE_MS)) return;
    this.#parts.tally.counts.resent_batches++;
    this.#publishBatch();
  }

  /** Says goodbye and hangs up. */
  stop(): void {
    const line = this.#line;
    if (line === null) return;
    this.#line = null;
    const goodbye = encodeMessage('goodbye', { v: 1, session_nonce: this.#nonce, reason: 'stopping' });
    line.publish(upTopic(this.#self.deviceId, 'goodbye'), goodbye, () => line.close());
  }
}
