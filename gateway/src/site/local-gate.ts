import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import type { BrokerClient, BrokerGate } from '@lintel/broker/guarded-broker';
import { claimedSerial, readBrokerLogin } from '@lintel/wire-protocol/claiming/broker-login';
import { deviceMaySubscribe } from '@lintel/wire-protocol/mqtt/topic-access';
import { ownUpFilter } from '@lintel/wire-protocol/mqtt/topics';
import type { PeerDirectory } from './peer-directory.ts';

export interface LocalDevice extends BrokerClient {
  readonly serial: string;
}

export interface LocalGateParts {
  readonly organizationId: OrganizationId;
  readonly peers: () => PeerDirectory;
  readonly now: () => number;
  readonly system: () => number;
  /** With which certificate it came in. */
  readonly onAdmitted: (deviceId: DeviceId, serial: string) => void;
}

/**
 * Who may come in: the devices that the gateway's slice names, with a certificate that it names. A device that was
 * claimed a moment ago is in it before it can connect, because the bridge tells the gateway with the same commit; one
 * that was deleted or replaced is out of it. Without a line to the bridge the last word holds, and nobody new comes in:
 * a device that was never here has no slice and could open nothing anyway.
 */
export const localGate = ({
  organizationId,
  peers,
  now,
  system,
  onAdmitted,
}: LocalGateParts): BrokerGate<LocalDevice> => {
  const admitted = (deviceId: DeviceId, serial: string): LocalDevice => {
    onAdmitted(deviceId, serial);
    return { deviceId, serial };
  };
  const byCertificate = async (serial: string, commonName: string): Promise<LocalDevice | null> => {
    const deviceId = peers().deviceOf(serial);
    return deviceId !== null && deviceId === commonName ? admitted(deviceId, serial) : null;
  };
  const byPassword = async (username: string, password: string): Promise<LocalDevice | null> => {
    const serial = claimedSerial(password);
    const verify = serial === null ? null : peers().verifierOf(username, serial);
    if (serial === null || verify === null) return null;
    const deviceId = username as DeviceId;
    // Both are on one machine; a gateway that has just started may not have heard the time yet.
    const isFresh = [now(), system()].some(at => readBrokerLogin(password, deviceId, at, verify).ok);
    return isFresh ? admitted(deviceId, serial) : null;
  };
  return {
    byCertificate,
    byPassword,
    // What a newer device says under a new name ends here, but not its connection.
    mayPublish: ({ deviceId }, topic) => topic.startsWith(ownUpFilter(deviceId).slice(0, -1)),
    maySubscribe: ({ deviceId }, filter) => deviceMaySubscribe(deviceId, organizationId, filter),
  };
};
