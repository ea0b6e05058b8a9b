import type { DeviceId } from '@lintel/access-core/ids';
import {
  deviceMayPublish,
  deviceMaySubscribe,
  gatewayMayPublish,
  gatewayMaySubscribe,
} from '@lintel/wire-protocol/mqtt/topic-access';
import { ownUpFilter } from '@lintel/wire-protocol/mqtt/topics';
import type { DeviceIdentity } from '../identity/device-login.ts';

/** Of a gateway: those that it has named since it came. */
export type CarriedDevices = (gateway: DeviceId) => ReadonlySet<DeviceId>;

/** A device speaks on its own side only; what a newer one says there under a new name is let through and dropped later. */
export const mayPublish = (identity: DeviceIdentity, named: CarriedDevices, topic: string): boolean => {
  const { deviceId, carries } = identity;
  if (deviceMayPublish(deviceId, topic) || topic.startsWith(ownUpFilter(deviceId).slice(0, -1))) return true;
  return (
    carries !== null &&
    (gatewayMayPublish(deviceId, carries, topic) || gatewayMayPublish(deviceId, named(deviceId), topic))
  );
};

export const maySubscribe = (identity: DeviceIdentity, named: CarriedDevices, filter: string): boolean => {
  const { deviceId, organizationId, carries } = identity;
  if (carries === null) return deviceMaySubscribe(deviceId, organizationId, filter);
  return [carries, named(deviceId)].some(devices => gatewayMaySubscribe(deviceId, devices, organizationId, filter));
};
