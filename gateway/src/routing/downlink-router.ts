import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { verifyAndDecodeFrame, type ExpectedFrameSigner } from '@lintel/device-link/session/frames/verify-frame';
import { type DownlinkMessageKind, parseMqttTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { FrameForwarder } from '../forwarding/frame-forwarder.ts';
import type { ConnectedDevices } from '../link/connected-device-subscriptions-and-announcements.ts';
import type { PeerDirectory } from '../site/peer-directory.ts';
import type { OfflineDownlinkQueue } from '../store/offline-downlink-queue.ts';
import type { StoredRevocations } from '../store/stored-revocations.ts';
import { parsePeerFrameHeader } from './peer-frame-header.ts';
import { BRIDGE_REQUESTER, type RequestsInFlight } from './requests-in-flight.ts';
import type { TrafficCounts } from './traffic-counts.ts';

export interface DownlinkRouterDependencies {
  readonly ownId: DeviceId;
  readonly organization: ExpectedFrameSigner & { readonly id: OrganizationId };
  readonly peers: () => PeerDirectory;
  readonly presence: ConnectedDevices;
  readonly forwarder: FrameForwarder;
  readonly offlineQueue: OfflineDownlinkQueue;
  readonly revocations: StoredRevocations;
  readonly counts: TrafficCounts;
  readonly requests: RequestsInFlight;
  /** Runs a store operation. A disk failure must not stop the forwarding. */
  readonly attempt: (work: () => void) => void;
  readonly publishDown: (topic: string, payload: Uint8Array) => void;
  /** For the gateway itself; revocations are for every device of the organization. */
  readonly onOwn: (kind: DownlinkMessageKind | 'revoke', payload: Uint8Array) => void;
  /** The bridge has the events of the device up to this sequence number. */
  readonly onConfirmed: (device: DeviceId, upTo: number) => void;
}

/** Messages that are still useful when the controller reconnects. Actions and times are not. */
const isQueueable = (kind: DownlinkMessageKind): kind is 'ack' | 'rules' | 'slice' =>
  kind === 'ack' || kind === 'rules' || kind === 'slice';

/** Passes messages of the bridge to their devices unchanged, and applies acknowledgements to the store. */
export class GatewayDownlinkRouter {
  readonly #deps: DownlinkRouterDependencies;

  constructor(deps: DownlinkRouterDependencies) {
    this.#deps = deps;
  }

  readonly route = (topic: string, payload: Uint8Array): void => {
    const { ownId, organization, peers, counts, publishDown } = this.#deps;
    const parsed = parseMqttTopic(topic);
    if (parsed === null || parsed.direction === 'up') return;
    if (parsed.direction === 'organization') {
      if (parsed.organization_id !== organization.id) return;
      counts.down++;
      publishDown(topic, payload);
      return this.#storeRevocation(payload);
    }
    const { device_id, kind } = parsed;
    if (device_id === ownId) return this.#deps.onOwn(kind, payload);
    if (!peers().has(device_id)) return counts.drop(device_id, kind, 'recipient not reachable');
    this.#toDevice(device_id, kind, topic, payload);
  };

  #toDevice(device: DeviceId, kind: DownlinkMessageKind, topic: string, payload: Uint8Array): void {
    const { presence, offlineQueue, counts, attempt, publishDown } = this.#deps;
    const isConnected = presence.isConnected(device);
    if (isConnected) {
      this.#noteRequest(device, kind, payload);
      counts.down++;
      publishDown(topic, payload);
    }
    if (!isQueueable(kind) || (isConnected && kind === 'slice')) return;
    if (!this.#verify(device, kind, payload)) return counts.drop(device, kind, 'invalid signature');
    if (!isConnected) attempt(() => offlineQueue.put(device, kind, payload));
  }

  #noteRequest(device: DeviceId, kind: DownlinkMessageKind, payload: Uint8Array): void {
    const { requests } = this.#deps;
    if (kind === 'action') requests.begin(BRIDGE_REQUESTER, device);
    else if (kind === 'technician') requests.noteActivity();
    else if (kind.startsWith('peer-')) {
      const address = parsePeerFrameHeader(payload);
      if (address !== null) requests.trackPeerMessage(kind, address);
    }
  }

  /** Only messages signed by the organization acknowledge stored frames or are queued. */
  #verify(device: DeviceId, kind: 'ack' | 'rules' | 'slice', payload: Uint8Array): boolean {
    const { organization, forwarder } = this.#deps;
    const address = { audience: device, serial: null, window: null };
    if (kind === 'slice') return verifyAndDecodeFrame('slice', payload, organization, address).ok;
    if (kind === 'rules') {
      const rules = verifyAndDecodeFrame('rules', payload, organization, address);
      if (rules.ok) forwarder.handleRulesResponse(device);
      return rules.ok;
    }
    const ack = verifyAndDecodeFrame('ack', payload, organization, address);
    if (!ack.ok) return false;
    const { message } = ack.value;
    this.#deps.onConfirmed(device, forwarder.handleAck(device, message));
    return true;
  }

  #storeRevocation(payload: Uint8Array): void {
    const { organization, revocations, counts, attempt, onOwn } = this.#deps;
    const opened = verifyAndDecodeFrame('revoke', payload, organization, {
      audience: organization.id,
      serial: '',
      window: null,
    });
    if (!opened.ok) return counts.drop(organization.id, 'revoke', 'invalid signature');
    const { header, message } = opened.value;
    attempt(() => revocations.add(header.counter, message.revision, payload));
    onOwn('revoke', payload);
  }
}
