import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { fromBase64url, toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import { WIRE_PROTOCOL_VERSION } from '@lintel/wire-protocol/mqtt/message-fields';
import type { GoodbyeMqttMessage } from '@lintel/wire-protocol/mqtt/messages/goodbye';
import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import type { DeviceSyncPosition } from '@lintel/wire-protocol/mqtt/messages/time-request';
import { DownlinkReceiver } from './downlink/downlink-receiver.ts';
import { DownlinkVerifier, type VerifiedDownlink } from './downlink/downlink-verifier.ts';
import { DroppedMessageCounter } from './downlink/dropped-message-counter.ts';
import { ReceivedRevocations } from './downlink/received-revocation-numbers.ts';
import type { ReceivedMessageKind } from './session-link-interface.ts';
import type { DeviceSessionDependencies, SessionListener } from './session-dependencies.ts';
import { RevisionMonitor } from './snapshot/revision-monitor.ts';
import { SnapshotSync } from './snapshot/snapshot-sync.ts';
import { TimeSync } from './time/time-sync.ts';
import { EventUploader } from './uplink/event-uploader.ts';

const HELLO_EVERY_MS = 1_000;
/** So many revocations slow decisions down, and a snapshot that contains them replaces them. */
const MANY_REVOCATIONS = 64;

/** The device's side of the protocol, from hello to goodbye, over one connection after another. */
export class DeviceSession {
  readonly time: TimeSync;
  readonly events: EventUploader;
  readonly #parts: DeviceSessionDependencies;
  readonly #drops: DroppedMessageCounter;
  readonly #verifier: DownlinkVerifier;
  readonly #receiver: DownlinkReceiver;
  readonly #revocations: ReceivedRevocations;
  readonly #sync: SnapshotSync;
  readonly #monitor: RevisionMonitor;
  readonly #services: readonly SessionListener[];
  #nonce = '';
  #isThroughGateway = false;
  #isOnline = false;
  #isStopped = false;
  #helloAt: MonotonicTime;
  #cancelHello: () => void = () => undefined;

  constructor(parts: DeviceSessionDependencies) {
    const { link, clock, log, upToDate } = parts;
    const sendHello = (): void => this.#sendHello();
    this.#parts = parts;
    this.#helloAt = clock.now();
    this.#drops = new DroppedMessageCounter(log);
    this.#verifier = new DownlinkVerifier({ identity: () => link.identity(), windows: parts.downlinkWindow, clock });
    this.#revocations = new ReceivedRevocations(parts.revocationWindow);
    this.#sync = new SnapshotSync(parts, {
      sendHello,
      revokeCounter: () => this.#revokeCounter(),
      dropped: (kind, why) => this.#drops.add(kind, why),
      applied: () => {
        this.#monitor.check();
        this.#revocations.save();
      },
    });
    this.#monitor = new RevisionMonitor(parts, {
      sync: this.#sync,
      revocations: () => this.#revocations.of(link.identity()?.organization_id ?? ''),
      upToDate: () => {
        upToDate();
        this.#sync.upToDate();
      },
    });
    this.time = new TimeSync(parts, {
      sendHello,
      position: () => this.#position(),
      received: (time, isFresh, { revoke_counter: reported }) => {
        for (const service of this.#services) {
          if (isFresh) service.timeReceived?.();
          else service.timeRejected?.();
        }
        if (isFresh) this.events.bridgeAnswered();
        else this.events.wake();
        if (isFresh) this.#monitor.acceptLowerCounter(time, reported);
        this.#monitor.announce(time, isFresh);
      },
    });
    this.events = new EventUploader(parts);
    const { handlers, services, receivePeer } = parts.services(this.time);
    this.#services = services;
    this.#receiver = new DownlinkReceiver({
      verifier: this.#verifier,
      drops: this.#drops,
      clock,
      receivePeer,
      handlers: {
        ...handlers,
        snapshot: frame => this.#sync.receive(frame),
        time: message => this.time.receive(message),
        ack: ack => {
          this.events.acknowledged(ack);
          this.#monitor.acknowledged(ack);
        },
        revoke: (revoked, frame) => this.#revoke(revoked, frame),
        'resend-revocations': () => this.#resendRevocations(),
        'missed-revocations': ({ frames }) => {
          for (const frame of frames) this.#receiver.receive('revoke', fromBase64url(frame) ?? new Uint8Array());
        },
        'bridge-link': ({ online }) => this.#gatewayLinkChanged(online),
      },
      onGap: () => this.#sync.request('a message has not arrived'),
      onReplayed: () => this.#checkBridge(),
    });
  }

  get nonce(): string {
    return this.#nonce;
  }

  /** The bridge itself can be reached, not only the gateway. */
  get isOnline(): boolean {
    return this.#isOnline;
  }

  get isThroughGateway(): boolean {
    return this.#isThroughGateway;
  }

  /** Messages that were rejected. */
  get dropped(): number {
    return this.#drops.count;
  }

  /** To be called before every attempt to connect: the new nonce invalidates requests for earlier connections. */
  lastWill(): Uint8Array {
    this.#nonce = this.#parts.newNonce();
    return this.#goodbye('lost');
  }

  #goodbye(reason: GoodbyeMqttMessage['reason']): Uint8Array {
    const { publisher } = this.#parts;
    return publisher.encode('goodbye', { v: WIRE_PROTOCOL_VERSION, session_nonce: this.#nonce, reason });
  }

  connected(): void {
    this.#drops.startConnection();
    for (const service of this.#services) service.startSession?.(this.#nonce);
    this.#sendHello();
    this.events.connected();
  }

  disconnected(): void {
    this.#isThroughGateway = false;
    this.#goOffline();
    this.events.disconnected();
  }

  receive(kind: ReceivedMessageKind, payload: Uint8Array): void {
    if (this.#isStopped) return;
    try {
      this.#receiver.receive(kind, payload);
    } catch (error) {
      // A defect in the handling of one message must not end the connection.
      this.#parts.setFault('internal', `a message ${kind} could not be handled: ${String(error)}`);
    }
  }

  /** On a new connection, and when the gateway is online again. */
  #sendHello(): void {
    const { link, publisher, clock, log, describe } = this.#parts;
    const identity = link.identity();
    if (identity === null) return;
    this.#isOnline = true;
    this.#helloAt = clock.now();
    this.#receiver.startSession();
    const { have: snapshot, resume } = this.#sync.position();
    void publisher.publish('hello', {
      v: WIRE_PROTOCOL_VERSION,
      speaks: [WIRE_PROTOCOL_VERSION],
      session_nonce: this.#nonce,
      serial: identity.serial,
      snapshot,
      resume,
      accepts_open_snapshots: true,
      down_counter: this.#verifier.highest(),
      revoke_counter: this.#revokeCounter(),
      ...describe(),
    });
    log('info', 'sent hello', { revision: snapshot?.revision ?? -1 });
    this.time.startSession(this.#nonce);
    this.#setOnline(true);
  }

  #revokeCounter(): number {
    return this.#revocations.of(this.#parts.link.identity()?.organization_id ?? '').highest;
  }

  #position(): DeviceSyncPosition {
    const { snapshots, describe } = this.#parts;
    const held = snapshots.held();
    return {
      session_nonce: this.#nonce,
      snapshot: held === null ? null : { revision: held.revision, digest: held.digest },
      acknowledged_sequence: describe().acknowledged_sequence,
      down_counter: this.#verifier.highest(),
      revoke_counter: this.#revokeCounter(),
    };
  }

  #checkBridge(): void {
    if (this.#isOnline) this.time.checkBridge();
  }

  #goOffline(): void {
    this.#isOnline = false;
    this.#cancelHello();
    this.#receiver.endSession();
    this.#monitor.stop();
    this.time.endSession();
    this.#setOnline(false);
  }

  #setOnline(isOnline: boolean): void {
    this.#sync.setOnline(isOnline);
    this.events.setOnline(isOnline);
    for (const service of this.#services) service.setOnline?.(isOnline);
  }

  /** Applied before anything else is done with it. */
  #revoke(revoked: RevocationMqttMessage, { counter, payload }: VerifiedDownlink): void {
    const { link, revocationHistory, revoke, snapshots } = this.#parts;
    const inForce = revoke(revoked);
    // Without effect if the snapshot contains it. That of a restored bridge is new, in spite of its revision.
    if (revoked.revision <= (snapshots.held()?.revision ?? -1)) this.#checkBridge();
    revocationHistory?.add(link.identity()?.organization_id ?? '', payload);
    this.#monitor.revoked(revoked.revision, counter);
    if (inForce >= MANY_REVOCATIONS) this.#sync.request('many revocations are active');
  }

  #resendRevocations(): void {
    const { link, publisher, revocationHistory } = this.#parts;
    const frames = revocationHistory?.list(link.identity()?.organization_id ?? '') ?? [];
    void publisher.publish('revocations', {
      v: WIRE_PROTOCOL_VERSION,
      frames: frames.map(frame => toBase64url(frame)),
    });
  }

  /** Only gateways report the state of their link. One that changes all the time must not cause a hello each time. */
  #gatewayLinkChanged(isOnline: boolean): void {
    const { clock } = this.#parts;
    this.#isThroughGateway = true;
    if (!isOnline) return this.#goOffline();
    if (this.#isOnline && this.#receiver.isAnswered) return;
    this.#cancelHello();
    this.#cancelHello = clock.wake(addMilliseconds(this.#helloAt, HELLO_EVERY_MS), () => this.#sendHello());
  }

  /** Accepts nothing any more. Returns the goodbye to send. */
  stop(): Uint8Array {
    this.#isStopped = true;
    this.#goOffline();
    this.events.disconnected();
    this.#verifier.save();
    this.#revocations.save();
    return this.#goodbye('stopping');
  }
}
