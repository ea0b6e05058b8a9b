import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { Problem, Result } from '@lintel/access-core/result';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { decodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import type { PeerMessageKind } from '../uplink/uplink-publisher.ts';
import { decodeFrameBody } from '../frames/verify-frame.ts';
import type { ReceivedMessageKind } from '../session-link-interface.ts';
import type { DownlinkVerifier, VerifiedDownlink } from './downlink-verifier.ts';
import type { DroppedMessageCounter } from './dropped-message-counter.ts';

/** Maximum wait for a missing counter after higher counters have arrived. */
const MISSING_COUNTER_MS = 3_000;

/** Signed by the organization. Snapshots are handed over undecoded, because they are large. */
type SignedKind = Exclude<ReceivedMessageKind, PeerMessageKind | 'bridge-link' | 'snapshot'>;

type SignedHandlers = {
  readonly [K in SignedKind]?: (message: MqttMessageContent<K>, frame: VerifiedDownlink) => void;
};

export type DownlinkHandlers = SignedHandlers & {
  readonly snapshot: (frame: VerifiedDownlink) => void;
  readonly 'bridge-link': (message: MqttMessageContent<'bridge-link'>) => void;
};

/** Messages of other controllers, which the program verifies. */
export type ReceivePeerMessage = (kind: PeerMessageKind, payload: Uint8Array) => Result<unknown>;

export interface DownlinkReceiverDependencies {
  readonly verifier: DownlinkVerifier;
  readonly drops: DroppedMessageCounter;
  readonly clock: MonotonicClock;
  readonly handlers: DownlinkHandlers;
  readonly receivePeer?: ReceivePeerMessage | undefined;
  /** A message has not arrived, although later ones have. */
  readonly onGap: () => void;
  /** The counter of a message was used before. */
  readonly onReplayed: () => void;
}

const describeProblem = ([first]: readonly Problem[]): string =>
  first === undefined ? 'invalid' : `${first.path} ${first.code}`.trim();

const isPeerKind = (kind: ReceivedMessageKind): kind is PeerMessageKind => kind.startsWith('peer-');

/** Verifies and decodes messages and hands them to their handlers. Counts the rejected ones. */
export class DownlinkReceiver {
  readonly #parts: DownlinkReceiverDependencies;
  #isAnswered = false;
  #cancelGap: (() => void) | null = null;

  constructor(parts: DownlinkReceiverDependencies) {
    this.#parts = parts;
  }

  /** Whether the bridge has sent anything since the hello. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  startSession(): void {
    this.#isAnswered = false;
    this.#parts.verifier.startSession();
  }

  endSession(): void {
    this.#cancelGap?.();
    this.#cancelGap = null;
  }

  receive(kind: ReceivedMessageKind, payload: Uint8Array): void {
    const { verifier, handlers, receivePeer } = this.#parts;
    if (isPeerKind(kind)) {
      if (receivePeer !== undefined) this.#accepted(kind, receivePeer(kind, payload));
      return;
    }
    if (kind === 'bridge-link') {
      const message = this.#accepted(kind, decodeMqttMessage(kind, payload));
      if (message !== null) handlers['bridge-link'](message);
      return;
    }
    const verified = verifier.verify(kind, payload);
    if (!verified.ok && verified.problems[0]?.code === 'replayed') this.#parts.onReplayed();
    const frame = this.#accepted(kind, verified);
    if (frame === null) return;
    this.#isAnswered = true;
    this.#watchCounters();
    if (kind === 'snapshot') handlers.snapshot(frame);
    else this.#handle(kind, frame);
  }

  #handle<K extends SignedKind>(kind: K, frame: VerifiedDownlink): void {
    const handlers: SignedHandlers = this.#parts.handlers;
    const handle = handlers[kind];
    if (handle === undefined) return;
    const message = this.#accepted(kind, decodeFrameBody(kind, frame));
    if (message !== null) handle(message, frame);
  }

  #accepted<T>(kind: ReceivedMessageKind, result: Result<T>): T | null {
    if (result.ok) return result.value;
    this.#parts.drops.add(kind, describeProblem(result.problems));
    return null;
  }

  #watchCounters(): void {
    const { verifier, clock, onGap } = this.#parts;
    if (this.#cancelGap !== null || !verifier.hasMissing()) return;
    this.#cancelGap = clock.wake(addMilliseconds(clock.now(), MISSING_COUNTER_MS), () => {
      this.#cancelGap = null;
      if (!verifier.hasMissing()) return;
      verifier.giveUpMissing();
      onGap();
    });
  }
}
