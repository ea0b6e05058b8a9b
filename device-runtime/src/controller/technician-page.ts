import type { TechnicianRequest } from '@lintel/wire-protocol/mqtt/messages/technician';
import type { TechnicianAnswer } from '@lintel/wire-protocol/mqtt/messages/technician-answer';
import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';

export type RemoteRequest = Pick<TechnicianRequest, 'user_id' | 'oauth_application_id' | 'method' | 'path' | 'body'>;
export type RemoteResponse = Pick<TechnicianAnswer, 'status' | 'headers' | 'body'>;

/** The technician's page: where it is found on the site, and how it answers somebody far away. */
export interface TechnicianPage extends NonNullable<Status['technician']> {
  readonly answer: (request: RemoteRequest) => Promise<RemoteResponse>;
}
