import type { DeviceId } from '@lintel/access-core/ids';
import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import type { EventAckMqttMessage } from '@lintel/wire-protocol/mqtt/messages/event-ack';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { StoredFrame } from '../store/unconfirmed-frame-table.ts';
import type { FrameStore } from './frame-store.ts';
import { decodeFrameEventIds } from './verify-controller-frame.ts';

export interface FrameForwardingLimits {
  /** Frames in flight: sent, and not acknowledged yet. */
  readonly maxFramesPerDevice: number;
  readonly maxFrames: number;
  readonly maxBytes: number;
  /** A frame without a response is sent again after this time, which doubles with each attempt. */
  readonly responseTimeoutMs: number;
  /** After these a frame is discarded. Its controller still has the events. */
  readonly maxAttempts: number;
}

const defaultForwardingLimits: FrameForwardingLimits = {
  maxFramesPerDevice: 4,
  maxFrames: 32,
  maxBytes: 8 * 1024 * 1024,
  responseTimeoutMs: 20_000,
  maxAttempts: 8,
};

export interface FrameForwarderDependencies {
  readonly store: FrameStore;
  readonly publish: (topic: string, payload: Uint8Array) => void;
  /** Whether the bridge's responses to this device arrive here. */
  readonly isSubscribed: (device: DeviceId) => boolean;
  /** Milliseconds of a clock that only runs forward. */
  readonly monotonic: () => number;
  readonly onDiscarded: (device: DeviceId) => void;
  readonly limits?: Partial<FrameForwardingLimits>;
}

interface InFlightFrame {
  readonly id: number;
  readonly kind: StoredFrame['kind'];
  readonly bytes: number;
  readonly sentAt: number;
  /** Sequence numbers of the events without an acknowledgement, by event id. */
  readonly unacknowledged: Map<string, number>;
}

interface DeviceQueue {
  /** In the order of sending. */
  inFlight: InFlightFrame[];
  /** Id of the last frame sent. */
  lastSent: number;
}

const eventsOf = ({ kind, payload }: StoredFrame): Map<string, number> => {
  const frame = kind === 'events' ? decodeUnverifiedFrame(payload) : null;
  const events = frame?.ok === true ? (decodeFrameEventIds(frame.value) ?? []) : [];
  return new Map(events.map(({ id, sequence }) => [id, sequence]));
};

/**
 * Sends the stored frames to the bridge: in order for each controller, with the controllers taking turns, and with a limited
 * number in flight. Only frames in flight are in memory.
 */
export class FrameForwarder {
  readonly #deps: FrameForwarderDependencies;
  readonly #limits: FrameForwardingLimits;
  readonly #queues = new Map<DeviceId, DeviceQueue>();
  /** By frame id, for frames that were sent more than once. */
  readonly #attempts = new Map<number, number>();
  /** Devices with frames to send, in order of their turns. */
  readonly #turns = new Set<DeviceId>();
  #isOnline = false;
  #frames = 0;
  #bytes = 0;
  /** `unconfirmedRemovals` of the store when the frames in flight were last compared with it. */
  #seenRemovals = 0;

  constructor(deps: FrameForwarderDependencies) {
    this.#deps = deps;
    this.#limits = { ...defaultForwardingLimits, ...deps.limits };
  }

  get inFlight(): number {
    return this.#frames;
  }

  /** Id of the last frame of the device that was sent; 0 when none is in flight. */
  sentUpTo(device: DeviceId): number {
    return this.#queues.get(device)?.lastSent ?? 0;
  }

  /** Sends all stored frames, the oldest first. */
  resume(): void {
    this.#isOnline = true;
    for (const device of this.#deps.store.devices()) this.#turns.add(device);
    this.#sendDue();
  }

  /** Frames in flight may be lost, so `resume` sends them again. */
  pause(): void {
    this.#isOnline = false;
    this.#queues.clear();
    this.#turns.clear();
    this.#frames = 0;
    this.#bytes = 0;
  }

  /** To be called after a new frame of the device was stored, and after its downlink topic was subscribed. */
  wake(device: DeviceId): void {
    if (!this.#isOnline) return;
    this.#forgetRemoved();
    this.#turns.add(device);
    this.#sendDue();
  }

  /** Frames in flight that left the store make room for others. */
  #forgetRemoved(): void {
    const { store } = this.#deps;
    if (store.unconfirmedRemovals === this.#seenRemovals) return;
    this.#seenRemovals = store.unconfirmedRemovals;
    for (const [device, queue] of this.#queues) {
      const removed = queue.inFlight.filter(({ id }) => !store.has(id));
      if (removed.length === 0) continue;
      queue.inFlight = queue.inFlight.filter(frame => !removed.includes(frame));
      this.#release(removed);
      this.#turns.add(device);
    }
  }

  #sendDue(): void {
    while (this.#isOnline && this.#frames < this.#limits.maxFrames && this.#bytes < this.#limits.maxBytes) {
      const [device] = this.#turns;
      if (device === undefined) return;
      this.#turns.delete(device);
      if (this.#sendNext(device)) this.#turns.add(device);
    }
  }

  /** False when the device has its share in flight, or nothing left to send. */
  #sendNext(device: DeviceId): boolean {
    const { store, publish, isSubscribed, monotonic } = this.#deps;
    const queue = this.#queues.get(device) ?? { inFlight: [], lastSent: 0 };
    if (!isSubscribed(device) || queue.inFlight.length >= this.#limits.maxFramesPerDevice) return false;
    const frame = store.next(device, queue.lastSent);
    if (frame === null) return false;
    const { id, kind, payload } = frame;
    queue.lastSent = id;
    queue.inFlight.push({ id, kind, bytes: payload.length, sentAt: monotonic(), unacknowledged: eventsOf(frame) });
    this.#queues.set(device, queue);
    this.#frames++;
    this.#bytes += payload.length;
    publish(buildUplinkTopic(device, kind), payload);
    return true;
  }

  /** The caller has verified the signature of the bridge. Returns the highest acknowledged sequence number in flight, or 0. */
  handleAck(device: DeviceId, { event_ids }: Pick<EventAckMqttMessage, 'event_ids'>): number {
    const queue = this.#queues.get(device);
    const done: InFlightFrame[] = [];
    let highest = 0;
    for (const frame of queue?.inFlight ?? []) {
      if (frame.kind !== 'events') continue;
      const { unacknowledged } = frame;
      for (const id of event_ids) {
        highest = Math.max(highest, unacknowledged.get(id) ?? 0);
        unacknowledged.delete(id);
      }
      if (unacknowledged.size === 0) done.push(frame);
    }
    this.#complete(device, done);
    this.wake(device);
    return highest;
  }

  /** The bridge responds to rule changes in order, so the response belongs to the oldest. */
  handleRulesResponse(device: DeviceId): void {
    const oldest = this.#queues.get(device)?.inFlight.find(({ kind }) => kind === 'rules-changed');
    if (oldest !== undefined) this.#complete(device, [oldest]);
    this.wake(device);
  }

  #complete(device: DeviceId, done: readonly InFlightFrame[]): void {
    const queue = this.#queues.get(device);
    if (queue === undefined || done.length === 0) return;
    queue.inFlight = queue.inFlight.filter(frame => !done.includes(frame));
    this.#release(done);
    for (const { id } of done) this.#attempts.delete(id);
    this.#deps.store.confirm(done.map(({ id }) => id));
  }

  #release(frames: readonly InFlightFrame[]): void {
    this.#frames -= frames.length;
    for (const { bytes } of frames) this.#bytes -= bytes;
  }

  /** Called periodically. Sends frames without a response again, in order. */
  resendOverdue(): void {
    if (!this.#isOnline) return;
    const now = this.#deps.monotonic();
    const { responseTimeoutMs } = this.#limits;
    const responseTime = { firstMs: responseTimeoutMs, longestMs: 16 * responseTimeoutMs };
    for (const [device, queue] of this.#queues) {
      const [first] = queue.inFlight;
      if (first === undefined) {
        // Without frames in flight only `lastSent` matters.
        if (this.#deps.store.queueOf(device).frames === 0) this.#queues.delete(device);
        continue;
      }
      const attempts = (this.#attempts.get(first.id) ?? 0) + 1;
      if (now - first.sentAt < computeMaxBackoffDelay(responseTime, attempts - 1)) continue;
      this.#rewind(device, queue, first, attempts);
    }
    this.#sendDue();
    // Frames can leave the store without a response of their own.
    if (this.#frames === 0) this.#attempts.clear();
  }

  #rewind(device: DeviceId, queue: DeviceQueue, first: InFlightFrame, attempts: number): void {
    this.#release(queue.inFlight);
    queue.inFlight = [];
    queue.lastSent = first.id - 1;
    if (attempts >= this.#limits.maxAttempts) {
      this.#attempts.delete(first.id);
      this.#deps.store.confirm([first.id]);
      this.#deps.onDiscarded(device);
    } else {
      this.#attempts.set(first.id, attempts);
    }
    this.#turns.add(device);
  }
}
