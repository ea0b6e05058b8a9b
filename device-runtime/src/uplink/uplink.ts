import type { Instant } from '@lintel/access-core/instant';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { Problem, Result } from '@lintel/access-core/result';
import { decodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { Ack } from '@lintel/wire-protocol/mqtt/messages/ack';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { Revoke } from '@lintel/wire-protocol/mqtt/messages/revoke';
import type { DownWord, UpstreamListener } from './upstream.ts';
import type { DownGate } from './downlink-verifier.ts';
import { unpacked } from './frame-body.ts';
import { openPeerFrame } from './peers/peer-frames.ts';
import type { PeerKind } from './uplink-publisher.ts';
import { type Conversations, type UplinkParts, conversationsOf } from './uplink-services.ts';

/** How long a number may stay out that others have overtaken. */
const OVERTAKEN_MS = 3_000;
const GREETING_MS = 1_000;
/** So many words of revocation are a burden: a slice that contains them lifts it. */
const MANY_REVOCATIONS = 64;

type SignedKind =
  | 'ack'
  | 'update'
  | 'action'
  | 'time'
  | 'rules'
  | 'rules-copied'
  | 'site-directory'
  | 'technician'
  | 'revoke';
type Handlers = { readonly [K in DownWord]: (payload: Uint8Array) => void };

export interface UplinkStatus {
  readonly connected: boolean;
  /** The bridge itself is to be reached, not only the gateway. */
  readonly online: boolean;
  readonly via: string | null;
  /** A gateway of the site is in between: only those tell of their line. */
  readonly throughGateway: boolean;
  /** It has been connected, or not, since then. */
  readonly since: Instant;
  readonly last_contact: Instant | null;
  /** Messages that were not believed, or could not be read. */
  readonly dropped: number;
}

const inWords = ([first]: readonly Problem[]): string =>
  first === undefined ? 'invalid' : `${first.path} ${first.code}`.trim();

/** Everything that a controller and its bridge say to one another, and who takes part in it. */
export class Uplink implements UpstreamListener {
  readonly #parts: UplinkParts;
  readonly #talks: Conversations;
  #via: string | null = null;
  #since: Instant;
  #isThroughGateway = false;
  #isOnline = false;
  #isGreeted = false;
  #isStopped = false;
  #cancelGap: (() => void) | null = null;
  #greetedAt: Monotonic;
  #cancelGreeting: () => void = () => undefined;

  readonly #handlers: Handlers = {
    ack: payload => this.#signed('ack', payload, ack => this.#acknowledged(ack)),
    slice: payload => this.#slice(payload),
    action: payload =>
      this.#signed('action', payload, (asked, { late_ms }) => this.#talks.actions.take(asked, late_ms)),
    time: payload => this.#signed('time', payload, said => this.#talks.time.take(said)),
    rules: payload => this.#signed('rules', payload, answer => this.#talks.rules.answered(answer)),
    'rules-copied': payload => this.#signed('rules-copied', payload, answer => this.#talks.copies.answered(answer)),
    'site-directory': payload =>
      this.#signed('site-directory', payload, said => this.#parts.controller.siteDirectory.learned(said)),
    technician: payload =>
      this.#signed('technician', payload, (asked, { late_ms }) => this.#talks.technicians.take(asked, late_ms)),
    revoke: payload => this.#signed('revoke', payload, (revoked, { counter }) => this.#revoke(revoked, counter)),
    line: payload => this.#lineChanged(payload),
    update: payload => this.#signed('update', payload, order => this.#talks.updates.ordered(order)),
    'peer-hello': payload =>
      this.#fromPeer('peer-hello', payload, (from, word) => this.#talks.peerDesk.greeted(from, word)),
    'peer-request': payload =>
      this.#fromPeer('peer-request', payload, (from, word) => this.#talks.peerDesk.asked(from, word)),
    'peer-nonce': payload =>
      this.#fromPeer('peer-nonce', payload, (from, word) => this.#parts.peers.nonceCame(from, word)),
    'peer-answer': payload =>
      this.#fromPeer('peer-answer', payload, (from, word) => this.#parts.peers.answerCame(from, word)),
  };

  constructor(parts: UplinkParts) {
    this.#parts = parts;
    this.#talks = conversationsOf(parts, () => this.#greet());
    this.#since = parts.wall.now();
    this.#greetedAt = parts.clock.now();
    parts.controller.siteDirectory.onAsked(() => {
      if (this.#isOnline) void parts.speaker.say('site-request', { v: 1 });
    });
    parts.wall.onDoubt(() => this.#isOnline && this.#talks.time.ask());
  }

  start(): void {
    this.#parts.upstream.start(this);
  }

  status(): UplinkStatus {
    const { lastContact: last_contact } = this.#parts.controller;
    const [via, since, online, throughGateway] = [this.#via, this.#since, this.#isOnline, this.#isThroughGateway];
    const { count: dropped } = this.#talks.drops;
    return { connected: via !== null, online, via, throughGateway, since, last_contact, dropped };
  }

  /** To be told of every event once it is written. */
  recorded({ kind }: DeviceEvent): void {
    const { pump, reports } = this.#talks;
    pump.poke();
    if (kind === 'state' && reports.isTelling) queueMicrotask(() => reports.isTelling && reports.look());
  }

  lastWill(): Uint8Array {
    this.#talks.session.renew();
    return this.#talks.session.goodbye('lost');
  }

  connected(via: string): void {
    this.#via = via;
    this.#since = this.#parts.wall.now();
    this.#talks.drops.forget();
    this.#talks.actions.sessionBegins(this.#talks.session.nonce);
    this.#talks.technicians.sessionBegins(this.#talks.session.nonce);
    this.#greet();
    this.#talks.pump.connected();
  }

  disconnected(): void {
    this.#via = null;
    this.#isThroughGateway = false;
    this.#since = this.#parts.wall.now();
    this.#goOffline();
    this.#talks.pump.disconnected();
  }

  /** The first word, on a new connection and when the gateway has found its line again. */
  #greet(): void {
    const { upstream, controller, log } = this.#parts;
    const { session, gate, numbers, sync, time, pump, rules, copies, updates, reports } = this.#talks;
    const identity = upstream.identity();
    if (identity === null) return;
    this.#isOnline = true;
    this.#isGreeted = false;
    this.#greetedAt = this.#parts.clock.now();
    gate.sessionBegins();
    const { have: slice, resume } = sync.greeting();
    const [down_counter, revoke_counter] = [gate.highest(), numbers.of(identity.organization_id).highest];
    session.sayHello(identity, { slice, resume, down_counter, revoke_counter });
    log('info', 'said hello', { revision: controller.heldSlice?.revision ?? -1, waiting: controller.waitingEvents() });
    time.sessionBegins(session.nonce, session.madeAt);
    sync.online(true);
    pump.online(true);
    rules.online(true);
    copies.online(true);
    updates.online(true);
    reports.begin();
  }

  #goOffline(): void {
    const { sync, time, pump, rules, copies, updates, reports, abreast, technicians } = this.#talks;
    this.#isOnline = false;
    this.#cancelGreeting();
    this.#cancelGap?.();
    this.#cancelGap = null;
    abreast.stop();
    time.ends();
    sync.online(false);
    pump.online(false);
    rules.online(false);
    copies.online(false);
    updates.online(false);
    reports.end();
    technicians.ends();
  }

  message(kind: DownWord, payload: Uint8Array): void {
    if (this.#isStopped) return;
    try {
      this.#handlers[kind](payload);
    } catch (error) {
      // A mistake of ours in one message must not be the end of the line.
      this.#parts.controller.setFault('internal', `a message ${kind} could not be handled: ${String(error)}`);
    }
  }

  #believed<T>(kind: DownWord, result: Result<T>): T | null {
    if (result.ok) return result.value;
    this.#talks.drops.add(kind, inWords(result.problems));
    return null;
  }

  #admit(kind: SignedKind | 'slice', payload: Uint8Array) {
    const admitted = this.#believed(kind, this.#talks.gate.admit(kind, payload));
    if (admitted === null) return null;
    this.#isGreeted = true;
    this.#watchNumbers();
    return admitted;
  }

  #signed<K extends SignedKind>(
    kind: K,
    payload: Uint8Array,
    then: (message: Message<K>, frame: Extract<ReturnType<DownGate['admit']>, { ok: true }>['value']) => void,
  ): void {
    const admitted = this.#admit(kind, payload);
    if (admitted === null) return;
    const bytes = unpacked(admitted);
    const message = this.#believed(kind, bytes.ok ? decodeMessage(kind, bytes.value) : bytes);
    if (message !== null) then(message, admitted);
  }

  #slice(payload: Uint8Array): void {
    const admitted = this.#admit('slice', payload);
    if (admitted !== null) this.#talks.sync.take(admitted);
  }

  #fromPeer<K extends PeerKind>(
    kind: K,
    payload: Uint8Array,
    then: (from: Parameters<UplinkParts['peers']['nonceCame']>[0], message: Message<K>) => void,
  ): void {
    const identity = this.#parts.upstream.identity();
    if (identity === null) return;
    const word = this.#believed(kind, openPeerFrame(kind, payload, identity, this.#parts.controller.slice));
    if (word !== null) then(word.from, word.message);
  }

  #acknowledged(ack: Ack): void {
    const { pump, numbers, abreast } = this.#talks;
    pump.acknowledged(ack);
    const { revision, revoke_counter } = ack;
    if (revision == null || revoke_counter == null) return;
    const known = numbers.of(this.#parts.upstream.identity()?.organization_id ?? '');
    if (known.isLackingUpTo(revoke_counter)) abreast.learned({ revision, revoke_counter }, false);
  }

  /** In force before anything else is done with it. */
  #revoke(revoked: Revoke, number: number): void {
    const { controller, upstream } = this.#parts;
    const { numbers, sync, abreast } = this.#talks;
    controller.revoke(revoked);
    const known = numbers.of(upstream.identity()?.organization_id ?? '');
    known.take(number);
    if (known.isLackingUpTo(number - 1)) abreast.learned({ revision: revoked.revision, revoke_counter: number }, false);
    if (controller.keptRevocations >= MANY_REVOCATIONS) sync.ask('many revocations have come');
  }

  #lineChanged(payload: Uint8Array): void {
    const said = this.#believed('line', decodeMessage('line', payload));
    if (said === null) return;
    this.#isThroughGateway = true;
    if (!said.online) this.#goOffline();
    else if (!this.#isOnline || !this.#isGreeted) this.#greetSoon();
  }

  /** A line that comes and goes all the time is no reason to say everything again all the time. */
  #greetSoon(): void {
    const { clock } = this.#parts;
    this.#cancelGreeting();
    this.#cancelGreeting = clock.wake(after(this.#greetedAt, GREETING_MS), () => this.#greet());
  }

  #watchNumbers(): void {
    const { gate, sync } = this.#talks;
    if (this.#cancelGap !== null || gate.missing().length === 0) return;
    const { clock } = this.#parts;
    this.#cancelGap = clock.wake(after(clock.now(), OVERTAKEN_MS), () => {
      this.#cancelGap = null;
      if (gate.missing().length === 0) return;
      gate.giveUpMissing();
      sync.ask('a message has not come');
    });
  }

  /** Nothing is taken any more when it returns; settles when the goodbye is said. */
  stop(): Promise<void> {
    this.#isStopped = true;
    const { session, gate, numbers } = this.#talks;
    this.#goOffline();
    this.#talks.pump.disconnected();
    gate.save();
    numbers.save();
    return this.#parts.upstream.stop(session.goodbye('stopping'));
  }
}
