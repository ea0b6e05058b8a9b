import type { VerifySignature } from '@lintel/crypto/verify-ed25519';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { decodeFrameBody } from '@lintel/device-link/session/frames/verify-frame';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import {
  type DownlinkMessageKind,
  buildDownlinkTopic,
  parseMqttTopic,
  type UplinkMessageKind,
} from '@lintel/wire-protocol/mqtt/topics';
import type { FrameForwarder } from '../forwarding/frame-forwarder.ts';
import type { FrameStore } from '../forwarding/frame-store.ts';
import { verifyControllerFrame } from '../forwarding/verify-controller-frame.ts';
import type { ConnectedDevices } from '../link/connected-device-subscriptions-and-announcements.ts';
import type { PeerDirectory } from '../site/peer-directory.ts';
import type { StoredFrameKind } from '../store/unconfirmed-frame-table.ts';
import { toEventRanges } from '../store/event-ranges.ts';
import { HeldUplinkMessages } from './uplink-messages-held-until-device-announced.ts';
import { EventGaps } from './event-gaps.ts';
import { BRIDGE_REQUESTER, type RequestsInFlight } from './requests-in-flight.ts';
import { parsePeerFrameHeader } from './peer-frame-header.ts';
import type { TrafficCounts } from './traffic-counts.ts';

export interface UplinkRouterDependencies {
  readonly organizationId: OrganizationId;
  readonly peers: () => PeerDirectory;
  readonly presence: ConnectedDevices;
  readonly store: FrameStore;
  readonly forwarder: FrameForwarder;
  readonly counts: TrafficCounts;
  readonly requests: RequestsInFlight;
  readonly now: () => number;
  /** Whether the bridge is connected and has sent the devices of the site. */
  readonly isOnline: () => boolean;
  readonly bufferedBytes: () => number;
  readonly publishUp: (topic: string, payload: Uint8Array) => void;
  readonly publishDown: (topic: string, payload: Uint8Array) => void;
  readonly onServing: (device: DeviceId, revision: number) => void;
  /** Makes the controller send its unacknowledged messages again. */
  readonly requestResend: (device: DeviceId) => void;
}

type PeerKind = UplinkMessageKind & DownlinkMessageKind;

/** A stalled connection is closed soon. Until then no more than this is buffered. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Passes messages of devices to the bridge directly, through the store, or to another device of the site. */
export class GatewayUplinkRouter {
  readonly #deps: UplinkRouterDependencies;
  readonly #held = new HeldUplinkMessages();
  readonly #eventGaps = new EventGaps();

  constructor(deps: UplinkRouterDependencies) {
    this.#deps = deps;
  }

  readonly route = (topic: string, payload: Uint8Array, sender: DeviceId): void => {
    const { counts } = this.#deps;
    const parsed = parseMqttTopic(topic);
    if (parsed?.direction !== 'up' || parsed.device_id !== sender) {
      return counts.drop(sender, topic, 'unknown topic');
    }
    const { kind } = parsed;
    switch (kind) {
      case 'events':
      case 'rules-changed':
        return this.#store(sender, kind, topic, payload);
      case 'peer-hello':
      case 'peer-nonce':
      case 'peer-request':
      case 'peer-answer':
        return this.#toPeer(sender, kind, topic, payload);
      case 'presence':
        return counts.drop(sender, kind, 'reserved for gateways');
      case 'serving':
        this.#noteServing(sender, payload);
        this.#pass(sender, kind, topic, payload);
        return;
      case 'action-result':
        this.#deps.requests.end(BRIDGE_REQUESTER, sender);
        this.#pass(sender, kind, topic, payload);
        return;
      default:
        this.#pass(sender, kind, topic, payload);
    }
  };

  /** False when the message is discarded. */
  #pass(device: DeviceId, kind: UplinkMessageKind, topic: string, payload: Uint8Array): boolean {
    const { presence, counts, isOnline, bufferedBytes, publishUp } = this.#deps;
    if (!isOnline()) {
      counts.offline++;
      return false;
    }
    if (bufferedBytes() > MAX_BUFFERED_BYTES) {
      counts.drop(device, kind, 'uplink too slow');
      return false;
    }
    // A goodbye is from a device that has disconnected and is never ready again.
    if (kind !== 'goodbye' && !presence.isReady(device)) {
      const isHeld = this.#held.hold(device, topic, payload);
      if (!isHeld) counts.drop(device, kind, 'too many messages');
      return isHeld;
    }
    counts.up++;
    publishUp(topic, payload);
    return true;
  }

  /** The bridge knows the device: sends its held messages, then its stored frames. */
  deviceReady(device: DeviceId): void {
    const { counts, publishUp, forwarder } = this.#deps;
    for (const { topic, payload } of this.#held.release(device)) {
      counts.up++;
      publishUp(topic, payload);
    }
    forwarder.wake(device);
  }

  /** Held messages belong to the session that ended. */
  deviceDisconnected(device: DeviceId): void {
    this.#held.release(device);
    this.#eventGaps.clear(device);
  }

  /** The bridge has acknowledged stored events of the device. `highest`: their highest sequence number. */
  eventsConfirmed(device: DeviceId, highest: number): void {
    // Frames are sent in order. If an earlier event is missing after all, it arrives late.
    this.#eventGaps.clearUpTo(device, highest);
    if (this.#eventGaps.has(device) && this.#deps.store.queueOf(device).frames === 0) this.#deps.requestResend(device);
  }

  linkClosed(): void {
    this.#held.clear();
  }

  #store(device: DeviceId, kind: StoredFrameKind, topic: string, payload: Uint8Array): void {
    const { organizationId: organization, peers, store, forwarder, counts, now, presence } = this.#deps;
    const verifierOf = (serial: string): VerifySignature | null => peers().verifierOf(device, serial);
    const batch = verifyControllerFrame(kind, payload, { device, organization, verifierOf });
    if (batch === null) return counts.drop(device, kind, 'invalid signature');
    const { serial, events } = batch;
    // From a newer version: the gateway could not match an acknowledgement to it.
    if (events === null) return void this.#pass(device, kind, topic, payload);
    const ranges = toEventRanges(events);
    const first = ranges[0]?.range[0] ?? 0;
    if (!this.#eventGaps.canAccept(device, first)) {
      counts.rejected++;
      return;
    }
    const result = store.add({ device, serial, kind, ranges, receivedAt: now(), payload }, forwarder.sentUpTo(device));
    if (result === 'rejected') return this.#passUnstored(device, kind, topic, payload, first);
    if (kind === 'events') this.#eventGaps.clear(device);
    if (result === 'duplicate') return;
    presence.requireSubscription(device);
    forwarder.wake(device);
  }

  /** The store is full. The message must not overtake stored frames, so without them it is passed on, and rejected otherwise. */
  #passUnstored(device: DeviceId, kind: StoredFrameKind, topic: string, payload: Uint8Array, first: number): void {
    const { store, counts } = this.#deps;
    counts.rejected++;
    const isPassed = store.queueOf(device).frames === 0 && this.#pass(device, kind, topic, payload);
    if (kind !== 'events') return;
    if (isPassed) this.#eventGaps.clear(device);
    else this.#eventGaps.add(device, first);
  }

  #toPeer(sender: DeviceId, kind: PeerKind, topic: string, payload: Uint8Array): void {
    const { presence, counts, requests, publishDown, isOnline } = this.#deps;
    const address = parsePeerFrameHeader(payload);
    if (address?.signer !== sender) return counts.drop(sender, kind, 'invalid signature');
    requests.trackPeerMessage(kind, address);
    if (presence.isConnected(address.audience)) {
      counts.local++;
      return publishDown(buildDownlinkTopic(address.audience as DeviceId, kind), payload);
    }
    if (!isOnline()) return counts.drop(sender, kind, 'recipient not reachable');
    this.#pass(sender, kind, topic, payload);
  }

  #noteServing(device: DeviceId, payload: Uint8Array): void {
    const frame = decodeUnverifiedFrame(payload);
    const serving = frame.ok
      ? decodeFrameBody('serving', { body: frame.value.body, encoding: frame.value.header.encoding })
      : frame;
    if (serving.ok) this.#deps.onServing(device, serving.value.revision);
  }
}
