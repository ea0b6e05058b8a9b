import type { VerifySignature } from '@lintel/crypto/ed25519';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { decodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { type DownKind, downTopic, parseTopic, type UpKind } from '@lintel/wire-protocol/mqtt/topics';
import type { Forwarder } from '../forwarding/forwarder.ts';
import type { FrameStore } from '../forwarding/frame-store.ts';
import { openBatch } from '../forwarding/signed-batch.ts';
import type { DeviceRoster } from '../link/device-roster.ts';
import type { PeerDirectory } from '../site/peer-directory.ts';
import type { StoredKind } from '../store/frame-table.ts';
import { spansOf } from '../store/sequence-spans.ts';
import { HeldMessages } from './held-messages.ts';
import { LeftBehind } from './left-behind.ts';
import { BRIDGE, type PassingRequests } from './passing-requests.ts';
import { peerAddress } from './peer-frame.ts';
import type { TrafficCounts } from './traffic-counts.ts';

export interface UpRouteParts {
  readonly organizationId: OrganizationId;
  readonly peers: () => PeerDirectory;
  readonly roster: DeviceRoster;
  readonly store: FrameStore;
  readonly forwarder: Forwarder;
  readonly counts: TrafficCounts;
  readonly requests: PassingRequests;
  readonly now: () => number;
  /** Whether the bridge is there and knows who hangs here. */
  readonly isOpen: () => boolean;
  readonly bufferedBytes: () => number;
  readonly publishUp: (topic: string, payload: Uint8Array) => void;
  readonly publishDown: (topic: string, payload: Uint8Array) => void;
  readonly onServing: (device: DeviceId, revision: number) => void;
  /** Has the controller say again what nobody has confirmed. */
  readonly sayAgain: (device: DeviceId) => void;
}

type PeerKind = UpKind & DownKind;

/** A line that takes nothing is cut soon; what piles up until then is not worth more memory than this. */
const MOST_BUFFERED = 16 * 1024 * 1024;

/** What the devices say: to the bridge as it is, through the store, or straight to a neighbour. */
export class UpRoutes {
  readonly #parts: UpRouteParts;
  readonly #held = new HeldMessages();
  readonly #leftBehind = new LeftBehind();

  constructor(parts: UpRouteParts) {
    this.#parts = parts;
  }

  readonly heard = (topic: string, payload: Uint8Array, sender: DeviceId): void => {
    const { counts } = this.#parts;
    const parsed = parseTopic(topic);
    if (parsed?.direction !== 'up' || parsed.device_id !== sender) {
      return counts.drop(sender, topic, 'no topic of this protocol');
    }
    const { kind } = parsed;
    switch (kind) {
      case 'events':
      case 'rules-changed':
        return this.#keep(sender, kind, topic, payload);
      case 'peer-hello':
      case 'peer-nonce':
      case 'peer-request':
      case 'peer-answer':
        return this.#toPeer(sender, kind, topic, payload);
      case 'presence':
        return counts.drop(sender, kind, 'only a gateway says that');
      case 'serving':
        this.#noteServing(sender, payload);
        this.#pass(sender, kind, topic, payload);
        return;
      case 'action-result':
        this.#parts.requests.answered(BRIDGE, sender);
        this.#pass(sender, kind, topic, payload);
        return;
      default:
        this.#pass(sender, kind, topic, payload);
    }
  };

  /** False when it goes nowhere. */
  #pass(device: DeviceId, kind: UpKind, topic: string, payload: Uint8Array): boolean {
    const { roster, counts, isOpen, bufferedBytes, publishUp } = this.#parts;
    if (!isOpen()) {
      counts.unheard++;
      return false;
    }
    if (bufferedBytes() > MOST_BUFFERED) {
      counts.drop(device, kind, 'the line is too slow');
      return false;
    }
    // A goodbye comes from a device that has gone, and ends what the bridge knows of it.
    if (kind !== 'goodbye' && !roster.isReady(device)) {
      const isHeld = this.#held.hold(device, topic, payload);
      if (!isHeld) counts.drop(device, kind, 'too much at once');
      return isHeld;
    }
    counts.up++;
    publishUp(topic, payload);
    return true;
  }

  /** The bridge knows of the device: its first words go up, and then what is stored of it. */
  ready(device: DeviceId): void {
    const { counts, publishUp, forwarder } = this.#parts;
    for (const { topic, payload } of this.#held.release(device)) {
      counts.up++;
      publishUp(topic, payload);
    }
    forwarder.wake(device);
  }

  /** What it said before the bridge knew of it is of a session that is over. */
  left(device: DeviceId): void {
    this.#held.release(device);
    this.#leftBehind.came(device);
  }

  /** The bridge has its events up to this one. */
  confirmed(device: DeviceId, upTo: number): void {
    this.#leftBehind.confirmed(device, upTo);
    if (this.#leftBehind.has(device) && this.#parts.store.of(device).frames === 0) this.#parts.sayAgain(device);
  }

  closed(): void {
    this.#held.clear();
  }

  #keep(device: DeviceId, kind: StoredKind, topic: string, payload: Uint8Array): void {
    const { organizationId: organization, peers, store, forwarder, counts, now, roster } = this.#parts;
    const verifierOf = (serial: string): VerifySignature | null => peers().verifierOf(device, serial);
    const batch = openBatch(kind, payload, { device, organization, verifierOf });
    if (batch === null) return counts.drop(device, kind, 'not signed by its sender');
    const { serial, events } = batch;
    // Of a newer version: nobody here could tell when the bridge has confirmed it.
    if (events === null) return void this.#pass(device, kind, topic, payload);
    const spans = spansOf(events.map(({ sequence }) => sequence));
    const first = spans[0]?.[0] ?? 0;
    if (!this.#leftBehind.mayCome(device, first)) {
      counts.left++;
      return;
    }
    const keeping = store.keep({ device, serial, kind, spans, receivedAt: now(), payload }, forwarder.sentUpTo(device));
    if (keeping === 'left') return this.#leave(device, kind, topic, payload, first);
    if (kind === 'events') this.#leftBehind.came(device);
    if (keeping === 'known') return;
    roster.wants(device);
    forwarder.wake(device);
  }

  /** There is no room for it. Ahead of what waits it must not go; its controller says it again. */
  #leave(device: DeviceId, kind: StoredKind, topic: string, payload: Uint8Array, first: number): void {
    const { store, counts } = this.#parts;
    counts.left++;
    const isCarried = store.of(device).frames === 0 && this.#pass(device, kind, topic, payload);
    if (kind !== 'events') return;
    if (isCarried) this.#leftBehind.came(device);
    else this.#leftBehind.leave(device, first);
  }

  #toPeer(sender: DeviceId, kind: PeerKind, topic: string, payload: Uint8Array): void {
    const { roster, counts, requests, publishDown, isOpen } = this.#parts;
    const address = peerAddress(payload);
    if (address?.signer !== sender) return counts.drop(sender, kind, 'not signed by its sender');
    requests.spoken(kind, address);
    if (roster.isConnected(address.audience)) {
      counts.local++;
      return publishDown(downTopic(address.audience as DeviceId, kind), payload);
    }
    if (!isOpen()) return counts.drop(sender, kind, 'nobody is there to hear it');
    this.#pass(sender, kind, topic, payload);
  }

  #noteServing(device: DeviceId, payload: Uint8Array): void {
    const serving = decodeMessage('serving', payload);
    if (serving.ok) this.#parts.onServing(device, serving.value.revision);
  }
}
