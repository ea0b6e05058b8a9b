import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TechnicianLoginSession } from '../login/session-registry.ts';
import type { RemoteTechnicianAuthorization } from '../login/remote-request-tokens.ts';

export const TECHNICIAN_API_ROOT = '/technician/v1';

export interface AuthenticatedTechnicianRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Pick<TechnicianLoginSession, 'technician' | 'by'> | RemoteTechnicianAuthorization;
  readonly token: string;
}

export interface TechnicianRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Requires a login. */
  readonly handle: (request: AuthenticatedTechnicianRequest) => unknown;
}

export interface PublicTechnicianRoute extends Omit<TechnicianRoute, 'handle'> {
  readonly isPublic: true;
  readonly handle: (request: Pick<AuthenticatedTechnicianRequest, 'request' | 'reply'>) => unknown;
}

/** Matches paths of a route such as `/gadgets/:gadget_id`. */
export const createRoutePathMatcher = (path: string): ((address: string) => boolean) => {
  const pattern = new RegExp(`^${TECHNICIAN_API_ROOT}${path.replaceAll(/:\w+/g, '[^/]+')}/?$`);
  return address => pattern.test(address);
};
