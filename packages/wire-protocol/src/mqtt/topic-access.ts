import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { ownDownFilter, parseTopic, revokeTopic } from './topics.ts';

/** A device speaks on its own side only. */
export const deviceMayPublish = (device: DeviceId, topic: string): boolean => {
  const parsed = parseTopic(topic);
  return parsed?.direction === 'up' && parsed.device_id === device;
};

/** A device hears what comes down to itself and the revocations of its organization, and asks for nothing wider. */
export const deviceMaySubscribe = (device: DeviceId, organization: OrganizationId, filter: string): boolean => {
  if (filter === ownDownFilter(device) || filter === revokeTopic(organization)) return true;
  const parsed = parseTopic(filter);
  return parsed?.direction === 'down' && parsed.device_id === device;
};

/** A gateway carries what the devices that hang on it say. It says who they are itself, and nobody else's gateway does. */
export const gatewayMayPublish = (gateway: DeviceId, itsDevices: ReadonlySet<DeviceId>, topic: string): boolean => {
  const parsed = parseTopic(topic);
  if (parsed?.direction !== 'up') return false;
  return parsed.device_id === gateway || (parsed.kind !== 'presence' && itsDevices.has(parsed.device_id));
};

/** A gateway hears what its devices hear. */
export const gatewayMaySubscribe = (
  gateway: DeviceId,
  itsDevices: ReadonlySet<DeviceId>,
  organization: OrganizationId,
  filter: string,
): boolean => {
  const named = filter.split('/')[2] as DeviceId;
  return deviceMaySubscribe(itsDevices.has(named) ? named : gateway, organization, filter);
};
