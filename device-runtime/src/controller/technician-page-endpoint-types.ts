import type { TechnicianRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/technician-request';
import type { TechnicianResponseMqttMessage } from '@lintel/wire-protocol/mqtt/messages/technician-response';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';

export type RemoteTechnicianRequest = Pick<
  TechnicianRequestMqttMessage,
  'request_id' | 'user_id' | 'user_name' | 'oauth_application_id' | 'operation' | 'parameters' | 'query' | 'body'
>;
export type RemoteTechnicianResponse = Pick<TechnicianResponseMqttMessage, 'status' | 'headers' | 'body'>;

/** The technician page: its address on the site, and its handler of remote requests. */
export interface TechnicianPageEndpoint extends NonNullable<DeviceStatusMqttMessage['technician']> {
  readonly handleRequest: (request: RemoteTechnicianRequest) => Promise<RemoteTechnicianResponse>;
}
