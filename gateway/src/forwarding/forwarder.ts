import type { DeviceId } from '@lintel/access-core/ids';
import { longestWait } from '@lintel/service/timing/backoff';
import type { Ack } from '@lintel/wire-protocol/mqtt/messages/ack';
import { decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { upTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { StoredFrame } from '../store/frame-table.ts';
import type { FrameStore } from './frame-store.ts';
import { eventsIn } from './signed-batch.ts';

export interface ForwardLimits {
  /** Frames of one controller that wait for the bridge's word at a time, and of all. */
  readonly mostOfOne: number;
  readonly most: number;
  readonly mostBytes: number;
  /** Without a word for so long a frame is sent again; each time it waits twice as long. */
  readonly answerMs: number;
  /** A frame that the bridge never answers is given up here: its controller still has what is in it. */
  readonly mostAttempts: number;
}

const defaultForwardLimits: ForwardLimits = {
  mostOfOne: 4,
  most: 32,
  mostBytes: 8 * 1024 * 1024,
  answerMs: 20_000,
  mostAttempts: 8,
};

export interface ForwarderParts {
  readonly store: FrameStore;
  readonly publish: (topic: string, payload: Uint8Array) => void;
  /** Whether the bridge's answers to this device would come here. */
  readonly isHeard: (device: DeviceId) => boolean;
  /** Milliseconds of a clock that only runs forward. */
  readonly monotonic: () => number;
  readonly onGivenUp: (device: DeviceId) => void;
  readonly limits?: Partial<ForwardLimits>;
}

interface UnderWay {
  readonly id: number;
  readonly kind: StoredFrame['kind'];
  readonly bytes: number;
  readonly sentAt: number;
  /** Events that the bridge has not named yet: their numbers by their ids. */
  readonly open: Map<string, number>;
}

interface Lane {
  /** In the order in which they were sent. */
  underWay: UnderWay[];
  /** The id of the last frame that was sent. */
  last: number;
}

const openEvents = ({ kind, payload }: StoredFrame): Map<string, number> => {
  const frame = kind === 'events' ? decodeFrame(payload) : null;
  const events = frame?.ok === true ? (eventsIn(frame.value) ?? []) : [];
  return new Map(events.map(({ id, sequence }) => [id, sequence]));
};

/**
 * Sends what is stored to the bridge: in order for each controller, the controllers in turn, and never more at a time
 * than the bridge is known to have dealt with. Only what is under way is in memory.
 */
export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #limits: ForwardLimits;
  readonly #lanes = new Map<DeviceId, Lane>();
  /** Of frames that were sent more than once. */
  readonly #attempts = new Map<number, number>();
  /** Whose turn it is: a device goes to the end when it has had one. */
  readonly #turns = new Set<DeviceId>();
  #isOpen = false;
  #frames = 0;
  #bytes = 0;

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
    this.#limits = { ...defaultForwardLimits, ...parts.limits };
  }

  get underWay(): number {
    return this.#frames;
  }

  /** The id of the last frame of the device that was sent; 0 when nothing is under way. */
  sentUpTo(device: DeviceId): number {
    return this.#lanes.get(device)?.last ?? 0;
  }

  /** The line is there: everything that waits is sent, from the oldest on. */
  open(): void {
    this.#isOpen = true;
    for (const device of this.#parts.store.devices()) this.#turns.add(device);
    this.pump();
  }

  /** The line is gone, and what was under way may not have arrived. */
  close(): void {
    this.#isOpen = false;
    this.#lanes.clear();
    this.#turns.clear();
    this.#frames = 0;
    this.#bytes = 0;
  }

  /** Something of the device is new in the store, or its answers are heard from now on. */
  wake(device: DeviceId): void {
    if (!this.#isOpen) return;
    this.#turns.add(device);
    this.pump();
  }

  pump(): void {
    while (this.#isOpen && this.#frames < this.#limits.most && this.#bytes < this.#limits.mostBytes) {
      const [device] = this.#turns;
      if (device === undefined) return;
      this.#turns.delete(device);
      if (this.#sendNext(device)) this.#turns.add(device);
    }
  }

  /** False when it has had its share, or nothing of it is left to send. */
  #sendNext(device: DeviceId): boolean {
    const { store, publish, isHeard, monotonic } = this.#parts;
    const lane = this.#lanes.get(device) ?? { underWay: [], last: 0 };
    if (!isHeard(device) || lane.underWay.length >= this.#limits.mostOfOne) return false;
    const frame = store.next(device, lane.last);
    if (frame === null) return false;
    const { id, kind, payload } = frame;
    lane.last = id;
    lane.underWay.push({ id, kind, bytes: payload.length, sentAt: monotonic(), open: openEvents(frame) });
    this.#lanes.set(device, lane);
    this.#frames++;
    this.#bytes += payload.length;
    publish(upTopic(device, kind), payload);
    return true;
  }

  /** The bridge's own word, whose signature has been checked. */
  acknowledged(device: DeviceId, { up_to, event_ids }: Ack): void {
    const lane = this.#lanes.get(device);
    const done: UnderWay[] = [];
    for (const one of lane?.underWay ?? []) {
      if (one.kind !== 'events') continue;
      for (const id of event_ids) one.open.delete(id);
      for (const [id, sequence] of one.open) if (sequence <= up_to) one.open.delete(id);
      if (one.open.size === 0) done.push(one);
    }
    this.#settle(device, done);
    this.#parts.store.confirmUpTo(device, up_to);
    this.wake(device);
  }

  /** The bridge has answered an edit of the rules: the oldest one. */
  rulesAnswered(device: DeviceId): void {
    const edit = this.#lanes.get(device)?.underWay.find(({ kind }) => kind === 'rules-changed');
    if (edit !== undefined) this.#settle(device, [edit]);
    this.wake(device);
  }

  #settle(device: DeviceId, done: readonly UnderWay[]): void {
    const lane = this.#lanes.get(device);
    if (lane === undefined || done.length === 0) return;
    lane.underWay = lane.underWay.filter(one => !done.includes(one));
    this.#release(done);
    for (const { id } of done) this.#attempts.delete(id);
    this.#parts.store.confirm(done.map(({ id }) => id));
  }

  #release(those: readonly UnderWay[]): void {
    this.#frames -= those.length;
    for (const { bytes } of those) this.#bytes -= bytes;
  }

  /** Called now and then: what has had no answer is sent again, in order. */
  tick(): void {
    if (!this.#isOpen) return;
    const now = this.#parts.monotonic();
    const { answerMs } = this.#limits;
    const responseTime = { firstMs: answerMs, longestMs: 16 * answerMs };
    for (const [device, lane] of this.#lanes) {
      const [first] = lane.underWay;
      if (first === undefined) {
        // Nothing is under way; it is kept only for where it has come to.
        if (this.#parts.store.of(device).frames === 0) this.#lanes.delete(device);
        continue;
      }
      const sent = (this.#attempts.get(first.id) ?? 0) + 1;
      if (now - first.sentAt < longestWait(responseTime, sent - 1)) continue;
      this.#again(device, lane, first, sent);
    }
    this.pump();
    // Some left the store by another way than an answer of their own.
    if (this.#frames === 0) this.#attempts.clear();
  }

  #again(device: DeviceId, lane: Lane, first: UnderWay, sent: number): void {
    this.#release(lane.underWay);
    lane.underWay = [];
    lane.last = first.id - 1;
    if (sent >= this.#limits.mostAttempts) {
      this.#attempts.delete(first.id);
      this.#parts.store.confirm([first.id]);
      this.#parts.onGivenUp(device);
    } else {
      this.#attempts.set(first.id, sent);
    }
    this.#turns.add(device);
  }
}
