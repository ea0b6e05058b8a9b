import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { GuardedBroker } from '@lintel/broker/guarded-broker';
import type { Log } from '@lintel/service/log';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { downTopic, ownDownFilter, revokeTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { SiteStore } from '../site-store.ts';
import { type LocalDevice, localGate } from './local-gate.ts';
import type { PeerDirectory } from './peer-directory.ts';

export interface LocalDevicesParts {
  readonly organizationId: OrganizationId;
  readonly peers: () => PeerDirectory;
  readonly now: () => number;
  readonly system: () => number;
  readonly store: SiteStore;
  readonly log: Log;
}

/** The side of the site: the broker that its devices connect to, and what the gateway says to them itself. */
export class LocalDevices {
  readonly broker: GuardedBroker<LocalDevice>;
  readonly #parts: LocalDevicesParts;
  /** With which certificate each device came in. */
  readonly #serials: ReadonlyMap<DeviceId, string>;

  private constructor(
    parts: LocalDevicesParts,
    broker: GuardedBroker<LocalDevice>,
    serials: ReadonlyMap<DeviceId, string>,
  ) {
    this.#parts = parts;
    this.broker = broker;
    this.#serials = serials;
  }

  static async open(parts: LocalDevicesParts): Promise<LocalDevices> {
    const serials = new Map<DeviceId, string>();
    const gate = localGate({ ...parts, onAdmitted: (device, serial) => serials.set(device, serial) });
    return new LocalDevices(parts, await GuardedBroker.start(gate, { now: parts.now }), serials);
  }

  #publishTo(device: DeviceId, topic: string, payload: Uint8Array): void {
    this.broker.publishTo(device, topic, payload);
  }

  /** Whether the bridge is to be reached. */
  tellLine(devices: Iterable<DeviceId>, online: boolean): void {
    const payload = encodeMessage('line', { v: 1, online });
    for (const device of devices) this.#publishTo(device, downTopic(device, 'line'), payload);
  }

  /** Whoever hears of a line that was not there says again what nobody has confirmed. */
  haveSaidAgain(devices: Iterable<DeviceId>, isOnline: boolean): void {
    const those = [...devices];
    this.tellLine(those, false);
    if (isOnline) this.tellLine(those, true);
  }

  /** A device listens: what waited for it comes first, and then whether the bridge is to be reached. */
  listens(device: DeviceId, filters: readonly string[], isOnline: boolean): void {
    const { store, organizationId } = this.#parts;
    const revocations = revokeTopic(organizationId);
    if (!isOnline && filters.includes(revocations)) {
      const missed = store.keeping(() => store.revocations.for(device)) ?? [];
      for (const payload of missed) this.#publishTo(device, revocations, payload);
    }
    if (!filters.includes(ownDownFilter(device))) return;
    for (const { kind, payload } of store.keeping(() => store.shelf.take(device)) ?? []) {
      this.#publishTo(device, downTopic(device, kind), payload);
    }
    this.tellLine([device], isOnline);
  }

  /** Whoever is not of the site any more, or came with a certificate that is revoked, is cut at once. */
  sendStrangersAway(): void {
    const { store, log } = this.#parts;
    const peers = this.#parts.peers();
    for (const device of this.broker.connected()) {
      if (peers.verifierOf(device, this.#serials.get(device) ?? '') !== null) continue;
      log('warn', 'a device is no longer of this site and is sent away', { device_id: device });
      this.broker.sendAway(device);
    }
    const messages = store.keepOnly(peers.devices(), (device, serial) => peers.verifierOf(device, serial) !== null);
    if (messages === 0) return;
    log('warn', 'messages under a certificate that is not in force any more are let go', { messages });
  }
}
