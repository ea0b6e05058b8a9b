import type { TechnicianRequestMessage } from '@lintel/wire-protocol/mqtt/messages/technician-request';
import type { TechnicianResponseMessage } from '@lintel/wire-protocol/mqtt/messages/technician-response';
import type { DeviceStatusMessage } from '@lintel/wire-protocol/mqtt/messages/status';

export type RemoteRequest = Pick<
  TechnicianRequestMessage,
  'user_id' | 'oauth_application_id' | 'operation' | 'parameters' | 'query' | 'body'
>;
export type RemoteResponse = Pick<TechnicianResponseMessage, 'status' | 'headers' | 'body'>;

/** The technician page: its address on the site, and its handler of remote requests. */
export interface TechnicianEndpoint extends NonNullable<DeviceStatusMessage['technician']> {
  readonly handleRequest: (request: RemoteRequest) => Promise<RemoteResponse>;
}
