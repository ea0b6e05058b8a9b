import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { verifyAndDecodeFrame, type ExpectedFrameSigner } from '@lintel/device-link/session/frames/verify-frame';
import { type DownlinkMessageKind, parseMqttTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { ConnectedDevices } from '../link/connected-devices.ts';
import type { PeerDirectory } from '../site/peer-directory.ts';
import type { RevocationStore } from '../revocations/store.ts';
import { parsePeerFrameHeader } from './peer-frame-header.ts';
import { BRIDGE_REQUESTER, type RequestsInFlight } from './requests-in-flight.ts';
import type { TrafficCounts } from './traffic-counts.ts';

export interface DownlinkRouterDependencies {
  readonly ownId: DeviceId;
  readonly organization: ExpectedFrameSigner & { readonly id: OrganizationId };
  readonly peers: () => PeerDirectory;
  readonly devices: ConnectedDevices;
  readonly revocations: RevocationStore;
  readonly counts: TrafficCounts;
  readonly requests: RequestsInFlight;
  readonly publishDown: (topic: string, payload: Uint8Array) => void;
  /** For the gateway itself; revocations are for every device of the organization. */
  readonly onOwn: (kind: DownlinkMessageKind | 'revoke', payload: Uint8Array) => void;
}

/** Passes messages of the bridge to their connected devices unchanged, and keeps revocations. */
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

  /** A device that is away asks for what it lacks when it is back. */
  #toDevice(device: DeviceId, kind: DownlinkMessageKind, topic: string, payload: Uint8Array): void {
    const { devices, counts, publishDown } = this.#deps;
    if (!devices.isConnected(device)) return;
    this.#noteRequest(device, kind, payload);
    counts.down++;
    publishDown(topic, payload);
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

  #storeRevocation(payload: Uint8Array): void {
    const { organization, revocations, counts, onOwn } = this.#deps;
    const opened = verifyAndDecodeFrame('revoke', payload, organization, {
      audience: organization.id,
      serial: '',
      window: null,
    });
    if (!opened.ok) return counts.drop(organization.id, 'revoke', 'invalid signature');
    const { header, message } = opened.value;
    revocations.add(header.counter, message.revision, payload);
    onOwn('revoke', payload);
  }
}
