import type { DeviceId } from '@lintel/access-core/ids';
import {
  deviceMayPublish,
  deviceMaySubscribe,
  gatewayMayPublish,
  gatewayMaySubscribe,
} from '@lintel/wire-protocol/mqtt/topic-access';
import { ownUpFilter } from '@lintel/wire-protocol/mqtt/topics';
import type { DeviceIdentity } from '../identity/device-login.ts';

/** Of the gateway that carries them. */
export type CarriedDevices = (gateway: DeviceId) => ReadonlySet<DeviceId>;

/** A device speaks on its own side only; what a newer one says there under a new name is let through and dropped later. */
export const mayPublish = (identity: DeviceIdentity, carried: CarriedDevices, topic: string): boolean => {
  const { deviceId, isGateway } = identity;
  if (deviceMayPublish(deviceId, topic) || topic.startsWith(ownUpFilter(deviceId).slice(0, -1))) return true;
  return isGateway && gatewayMayPublish(deviceId, carried(deviceId), topic);
};

export const maySubscribe = (identity: DeviceIdentity, carried: CarriedDevices, filter: string): boolean => {
  const { deviceId, organizationId, isGateway } = identity;
  return isGateway
    ? gatewayMaySubscribe(deviceId, carried(deviceId), organizationId, filter)
    : deviceMaySubscribe(deviceId, organizationId, filter);
};
