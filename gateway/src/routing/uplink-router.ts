import type { DeviceId } from '@lintel/access-core/ids';
import { decodeFrameBody } from '@lintel/device-link/session/frames/verify-frame';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import {
  type DownlinkMessageKind,
  buildDownlinkTopic,
  parseMqttTopic,
  type UplinkMessageKind,
} from '@lintel/wire-protocol/mqtt/topics';
import type { ConnectedDevices } from '../link/connected-devices.ts';
import { BRIDGE_REQUESTER, type RequestsInFlight } from './requests-in-flight.ts';
import { parsePeerFrameHeader } from './peer-frame-header.ts';
import type { TrafficCounts } from './traffic-counts.ts';
import { type UplinkMessage, WaitingMessages } from './waiting-messages.ts';

export interface UplinkRouterDependencies {
  readonly devices: ConnectedDevices;
  readonly counts: TrafficCounts;
  readonly requests: RequestsInFlight;
  /** Whether the bridge is connected and has sent the devices of the site. */
  readonly isOnline: () => boolean;
  /** Bytes on their way to the bridge. */
  readonly bufferedBytes: () => number;
  /** Resolves when the bridge has the message, or when the link is lost. */
  readonly publishUp: (topic: string, payload: Uint8Array) => Promise<void>;
  readonly publishDown: (topic: string, payload: Uint8Array) => void;
  readonly onActiveRevision: (device: DeviceId, revision: number) => void;
}

type PeerKind = UplinkMessageKind & DownlinkMessageKind;

/** A stalled connection is closed soon. Until then no more than this is buffered. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
/** Events wait while more than this is on its way, so that they delay nothing else on a slow link. */
const MAX_BUFFERED_BYTES_FOR_EVENTS = 256 * 1024;

/** Passes messages of devices to the bridge, or to another device of the site. Stores none: controllers keep their events. */
export class GatewayUplinkRouter {
  readonly #deps: UplinkRouterDependencies;
  /** Of devices that the bridge does not know to be connected to this gateway yet. */
  readonly #unannounced = new WaitingMessages();
  readonly #events = new WaitingMessages();
  /** Devices that have sent a hello since the link was opened. */
  readonly #greeted = new Set<DeviceId>();

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
      case 'peer-hello':
      case 'peer-nonce':
      case 'peer-request':
      case 'peer-answer':
        return this.#toPeer(sender, kind, topic, payload);
      case 'connected-devices':
        return counts.drop(sender, kind, 'reserved for gateways');
      case 'active-revision':
        this.#noteActiveRevision(sender, payload);
        break;
      case 'action-result':
        this.#deps.requests.end(BRIDGE_REQUESTER, sender);
        break;
      default:
    }
    this.#pass(sender, { kind, topic, payload });
  };

  #pass(device: DeviceId, message: UplinkMessage): void {
    const { devices, counts, isOnline } = this.#deps;
    if (!isOnline()) {
      counts.offline++;
      return;
    }
    if (message.kind === 'hello') this.#greeted.add(device);
    // What was sent before is lost, and sent again after the hello. Later events must not overtake it.
    if (message.kind === 'events' && !this.#greeted.has(device)) {
      counts.offline++;
      return;
    }
    // A goodbye is from a device that has disconnected and is never ready again.
    if (message.kind === 'goodbye' || devices.isReady(device)) return this.#forward(device, message);
    if (!this.#unannounced.add(device, message)) counts.drop(device, message.kind, 'too many messages');
  }

  #forward(device: DeviceId, message: UplinkMessage): void {
    const { counts, bufferedBytes } = this.#deps;
    const { kind } = message;
    if (kind === 'events' && (this.#events.has(device) || !this.#hasRoomForEvents())) {
      if (!this.#events.add(device, message)) counts.drop(device, kind, 'too many messages');
    } else if (bufferedBytes() > MAX_BUFFERED_BYTES) {
      counts.drop(device, kind, 'uplink too slow');
    } else {
      this.#publish(message);
    }
  }

  #publish({ topic, payload }: UplinkMessage): void {
    this.#deps.counts.up++;
    void this.#deps.publishUp(topic, payload).then(() => this.#sendWaitingEvents());
  }

  #hasRoomForEvents(): boolean {
    return this.#deps.bufferedBytes() <= MAX_BUFFERED_BYTES_FOR_EVENTS;
  }

  #sendWaitingEvents(): void {
    while (this.#deps.isOnline() && this.#hasRoomForEvents()) {
      const message = this.#events.next();
      if (message === undefined) return;
      this.#publish(message);
    }
  }

  /** The bridge knows that the device is connected to this gateway. */
  deviceReady(device: DeviceId): void {
    for (const message of this.#unannounced.takeAll(device)) this.#forward(device, message);
  }

  /** Messages that wait belong to the session that ended. */
  deviceDisconnected(device: DeviceId): void {
    this.#unannounced.takeAll(device);
    this.#events.takeAll(device);
    this.#greeted.delete(device);
  }

  linkClosed(): void {
    this.#unannounced.clear();
    this.#events.clear();
    this.#greeted.clear();
  }

  #toPeer(sender: DeviceId, kind: PeerKind, topic: string, payload: Uint8Array): void {
    const { devices, counts, requests, publishDown, isOnline } = this.#deps;
    const address = parsePeerFrameHeader(payload);
    if (address?.signer !== sender) return counts.drop(sender, kind, 'invalid signature');
    requests.trackPeerMessage(kind, address);
    if (devices.isConnected(address.audience)) {
      counts.local++;
      return publishDown(buildDownlinkTopic(address.audience as DeviceId, kind), payload);
    }
    if (!isOnline()) return counts.drop(sender, kind, 'recipient not reachable');
    this.#pass(sender, { kind, topic, payload });
  }

  #noteActiveRevision(device: DeviceId, payload: Uint8Array): void {
    const frame = decodeUnverifiedFrame(payload);
    const active = frame.ok
      ? decodeFrameBody('active-revision', { body: frame.value.body, encoding: frame.value.header.encoding })
      : frame;
    if (active.ok) this.#deps.onActiveRevision(device, active.value.revision);
  }
}
