import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import type { BrokerClient, BrokerAccessPolicy } from '@lintel/broker/guarded-broker';
import { parseUnverifiedBrokerLoginProof, verifyBrokerLoginProof } from '@lintel/wire-protocol/claiming/broker-login';
import { canDeviceSubscribe } from '@lintel/wire-protocol/mqtt/topic-permissions';
import { buildDeviceUplinkFilter } from '@lintel/wire-protocol/mqtt/topics';
import type { PeerDirectory } from './peer-directory.ts';

export interface SiteBrokerClient extends BrokerClient {
  readonly serial: string;
}

export interface SiteBrokerAccessPolicyDependencies {
  readonly organizationId: OrganizationId;
  readonly peers: () => PeerDirectory;
  readonly now: () => number;
  readonly system: () => number;
  readonly onAdmitted: (deviceId: DeviceId, serial: string) => void;
}

/**
 * Admits the devices and certificates in the gateway's snapshot of its site. The bridge sends a new device to the gateway in the
 * commit of its claim, before the device can connect. Offline, the last snapshot applies: a new device has no access data and could
 * not open anything.
 */
export const createSiteBrokerAccessPolicy = ({
  organizationId,
  peers,
  now,
  system,
  onAdmitted,
}: SiteBrokerAccessPolicyDependencies): BrokerAccessPolicy<SiteBrokerClient> => {
  const admit = (deviceId: DeviceId, serial: string): SiteBrokerClient => {
    onAdmitted(deviceId, serial);
    return { deviceId, serial };
  };
  const byCertificate = async (serial: string, commonName: string): Promise<SiteBrokerClient | null> => {
    const deviceId = peers().deviceOf(serial);
    return deviceId !== null && deviceId === commonName ? admit(deviceId, serial) : null;
  };
  const byPassword = async (username: string, password: string): Promise<SiteBrokerClient | null> => {
    const proof = parseUnverifiedBrokerLoginProof(password);
    if (!proof.ok) return null;
    const { serial } = proof.value.content;
    const verify = peers().verifierOf(username, serial);
    if (verify === null) return null;
    const deviceId = username as DeviceId;
    // Only clients on this machine use a password. The gateway may not have the time from the bridge yet.
    const isFresh = [now(), system()].some(at => verifyBrokerLoginProof(proof.value, deviceId, at, verify).ok);
    return isFresh ? admit(deviceId, serial) : null;
  };
  return {
    byCertificate,
    byPassword,
    // Unknown topics of a newer device are dropped without closing its connection.
    mayPublish: ({ deviceId }, topic) => topic.startsWith(buildDeviceUplinkFilter(deviceId).slice(0, -1)),
    maySubscribe: ({ deviceId }, filter) => canDeviceSubscribe(deviceId, organizationId, filter),
  };
};
