import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { GuardedBroker } from '@lintel/broker/guarded-broker';
import type { Log } from '@lintel/service/log-function-type';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { buildDownlinkTopic, buildDeviceDownlinkFilter, buildRevocationTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { RevocationStore } from '../revocations/store.ts';
import { type SiteBrokerClient, createSiteBrokerAccessPolicy } from './site-broker-access-policy.ts';
import type { PeerDirectory } from './peer-directory.ts';

export interface SiteBrokerDependencies {
  readonly organizationId: OrganizationId;
  readonly peers: () => PeerDirectory;
  readonly now: () => number;
  readonly system: () => number;
  readonly revocations: RevocationStore;
  readonly log: Log;
}

/** The broker for the devices of the site, and the gateway's own messages to them. */
export class SiteBroker {
  readonly broker: GuardedBroker<SiteBrokerClient>;
  readonly #deps: SiteBrokerDependencies;
  /** Serial number of the certificate that each device presented. */
  readonly #serials: ReadonlyMap<DeviceId, string>;

  private constructor(
    deps: SiteBrokerDependencies,
    broker: GuardedBroker<SiteBrokerClient>,
    serials: ReadonlyMap<DeviceId, string>,
  ) {
    this.#deps = deps;
    this.broker = broker;
    this.#serials = serials;
  }

  static async open(deps: SiteBrokerDependencies): Promise<SiteBroker> {
    const serials = new Map<DeviceId, string>();
    const policy = createSiteBrokerAccessPolicy({
      ...deps,
      onAdmitted: (device, serial) => serials.set(device, serial),
    });
    return new SiteBroker(deps, await GuardedBroker.start(policy, { now: deps.now, log: deps.log }), serials);
  }

  #publishTo(device: DeviceId, topic: string, payload: Uint8Array): void {
    this.broker.publishTo(device, topic, payload);
  }

  /** Tells the devices whether the bridge is reachable. */
  sendLinkState(devices: Iterable<DeviceId>, online: boolean): void {
    const payload = encodeMqttMessage('bridge-link', { v: 1, online });
    for (const device of devices) this.#publishTo(device, buildDownlinkTopic(device, 'bridge-link'), payload);
  }

  /** Sends the revocations that the device may lack first, then the link state. */
  handleSubscription(device: DeviceId, filters: readonly string[], isOnline: boolean): void {
    const { revocations, organizationId } = this.#deps;
    const topic = buildRevocationTopic(organizationId);
    if (!isOnline && filters.includes(topic)) {
      for (const payload of revocations.pendingFor(device)) this.#publishTo(device, topic, payload);
    }
    if (filters.includes(buildDeviceDownlinkFilter(device))) this.sendLinkState([device], isOnline);
  }

  /** Disconnects devices that left the site or use a revoked certificate. */
  disconnectRemovedDevices(): void {
    const { log } = this.#deps;
    const peers = this.#deps.peers();
    for (const device of this.broker.connected()) {
      if (peers.verifierOf(device, this.#serials.get(device) ?? '') !== null) continue;
      log('warn', 'Disconnecting a device that no longer belongs to this site', { device_id: device });
      this.broker.disconnect(device);
    }
  }
}
