import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { buildDeviceDownlinkFilter, parseMqttTopic, buildRevocationTopic } from './topics.ts';

/** A device publishes to its own uplink topics only. */
export const canDevicePublish = (device: DeviceId, topic: string): boolean => {
  const parsed = parseMqttTopic(topic);
  return parsed?.direction === 'up' && parsed.device_id === device;
};

/** A device subscribes to its own downlink topics and to the revocations of its organization only. */
export const canDeviceSubscribe = (device: DeviceId, organization: OrganizationId, filter: string): boolean => {
  if (filter === buildDeviceDownlinkFilter(device) || filter === buildRevocationTopic(organization)) return true;
  const parsed = parseMqttTopic(filter);
  return parsed?.direction === 'down' && parsed.device_id === device;
};

/** A gateway publishes for its connected devices. Only the gateway itself publishes the list of them. */
export const canGatewayPublish = (gateway: DeviceId, itsDevices: ReadonlySet<DeviceId>, topic: string): boolean => {
  const parsed = parseMqttTopic(topic);
  if (parsed?.direction !== 'up') return false;
  return parsed.device_id === gateway || (parsed.kind !== 'connected-devices' && itsDevices.has(parsed.device_id));
};

/** A gateway subscribes to the topics of its devices. */
export const canGatewaySubscribe = (
  gateway: DeviceId,
  itsDevices: ReadonlySet<DeviceId>,
  organization: OrganizationId,
  filter: string,
): boolean => {
  const named = filter.split('/')[2] as DeviceId;
  return canDeviceSubscribe(itsDevices.has(named) ? named : gateway, organization, filter);
};
