import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { openFrame, type Signer } from '@lintel/device-link/session/frames/open-frame';
import { type DownKind, parseTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { Forwarder } from '../forwarding/forwarder.ts';
import type { DeviceRoster } from '../link/device-roster.ts';
import type { PeerDirectory } from '../site/peer-directory.ts';
import type { OfflineDownlinkQueue } from '../store/offline-downlink-queue.ts';
import type { RevocationShelf } from '../store/revocation-shelf.ts';
import { peerAddress } from './peer-frame.ts';
import { BRIDGE, type PassingRequests } from './passing-requests.ts';
import type { TrafficCounts } from './traffic-counts.ts';

export interface DownRouteParts {
  readonly ownId: DeviceId;
  readonly organization: Signer & { readonly id: OrganizationId };
  readonly peers: () => PeerDirectory;
  readonly roster: DeviceRoster;
  readonly forwarder: Forwarder;
  readonly shelf: OfflineDownlinkQueue;
  readonly revocations: RevocationShelf;
  readonly counts: TrafficCounts;
  readonly requests: PassingRequests;
  /** Runs what writes to the store: a disk that fails costs what is kept, not what is carried. */
  readonly keeping: (work: () => void) => void;
  readonly publishDown: (topic: string, payload: Uint8Array) => void;
  /** For the gateway itself; revocations are for every device of the organization. */
  readonly onOwn: (kind: DownKind | 'revoke', payload: Uint8Array) => void;
  /** The bridge has the device's events up to this one. */
  readonly onConfirmed: (device: DeviceId, upTo: number) => void;
}

/** Of use to a controller that comes back later. Actions and times are not: they are for now, or for nobody. */
const isKept = (kind: DownKind): kind is 'ack' | 'rules' | 'slice' =>
  kind === 'ack' || kind === 'rules' || kind === 'slice';

/** What the bridge says: to its device as it is, and what it confirms to the store. */
export class DownRoutes {
  readonly #parts: DownRouteParts;

  constructor(parts: DownRouteParts) {
    this.#parts = parts;
  }

  readonly heard = (topic: string, payload: Uint8Array): void => {
    const { ownId, organization, peers, counts, publishDown } = this.#parts;
    const parsed = parseTopic(topic);
    if (parsed === null || parsed.direction === 'up') return;
    if (parsed.direction === 'organization') {
      if (parsed.organization_id !== organization.id) return;
      counts.down++;
      publishDown(topic, payload);
      return this.#keepRevocation(payload);
    }
    const { device_id, kind } = parsed;
    if (device_id === ownId) return this.#parts.onOwn(kind, payload);
    if (!peers().has(device_id)) return counts.drop(device_id, kind, 'nobody is there to hear it');
    this.#toDevice(device_id, kind, topic, payload);
  };

  #toDevice(device: DeviceId, kind: DownKind, topic: string, payload: Uint8Array): void {
    const { roster, shelf, counts, keeping, publishDown } = this.#parts;
    const isHere = roster.isConnected(device);
    if (isHere) {
      this.#noteRequest(device, kind, payload);
      counts.down++;
      publishDown(topic, payload);
    }
    if (!isKept(kind) || (isHere && kind === 'slice')) return;
    if (!this.#confirm(device, kind, payload)) return counts.drop(device, kind, 'not signed by its sender');
    if (!isHere) keeping(() => shelf.put(device, kind, payload));
  }

  #noteRequest(device: DeviceId, kind: DownKind, payload: Uint8Array): void {
    const { requests } = this.#parts;
    if (kind === 'action') requests.asked(BRIDGE, device);
    else if (kind === 'technician') requests.happened();
    else if (kind.startsWith('peer-')) {
      const address = peerAddress(payload);
      if (address !== null) requests.spoken(kind, address);
    }
  }

  /** Only what the organization has signed ends a message's stay in the store, or is worth being kept. */
  #confirm(device: DeviceId, kind: 'ack' | 'rules' | 'slice', payload: Uint8Array): boolean {
    const { organization, forwarder } = this.#parts;
    const address = { audience: device, serial: null, window: null };
    if (kind === 'slice') return openFrame('slice', payload, organization, address).ok;
    if (kind === 'rules') {
      const rules = openFrame('rules', payload, organization, address);
      if (rules.ok) forwarder.rulesAnswered(device);
      return rules.ok;
    }
    const ack = openFrame('ack', payload, organization, address);
    if (!ack.ok) return false;
    const { message } = ack.value;
    forwarder.acknowledged(device, message);
    this.#parts.onConfirmed(device, message.up_to);
    return true;
  }

  #keepRevocation(payload: Uint8Array): void {
    const { organization, revocations, counts, keeping, onOwn } = this.#parts;
    const opened = openFrame('revoke', payload, organization, { audience: organization.id, serial: '', window: null });
    if (!opened.ok) return counts.drop(organization.id, 'revoke', 'not signed by its sender');
    const { header, message } = opened.value;
    keeping(() => revocations.put(header.counter, message.revision, payload));
    onOwn('revoke', payload);
  }
}
