import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../login/sessions.ts';

export const ROOT = '/technician/v1';

export interface AuthenticatedRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Pick<Session, 'technician'>;
  readonly token: string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Only after login, unless it says otherwise. */
  readonly handle: (request: AuthenticatedRequest) => unknown;
}

export interface OpenRoute extends Omit<Route, 'handle'> {
  readonly isOpen: true;
  readonly handle: (request: Pick<AuthenticatedRequest, 'request' | 'reply'>) => unknown;
}

/** Whether an address is that of a route such as `/gadgets/:gadget_id`. */
export const pathMatcher = (path: string): ((address: string) => boolean) => {
  const pattern = new RegExp(`^${ROOT}${path.replaceAll(/:\w+/g, '[^/]+')}/?$`);
  return address => pattern.test(address);
};
