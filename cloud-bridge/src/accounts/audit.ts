import type { FastifyRequest } from 'fastify';

/** Everything that is refused on the way in, by the name under which an operator finds it in the log. */
export type AuditEvent =
  | 'login_succeeded'
  | 'login_refused'
  | 'login_throttled'
  | 'logout'
  | 'form_refused'
  | 'return_address_refused'
  | 'authorization_request_refused'
  | 'authorization_granted'
  | 'authorization_denied'
  | 'organization_refused'
  | 'client_refused'
  | 'token_refused'
  | 'code_replayed'
  | 'refresh_token_reused'
  | 'token_revoked'
  | 'guest_admitted'
  | 'guest_refused'
  | 'guest_throttled';

const expected: ReadonlySet<AuditEvent> = new Set([
  'login_succeeded',
  'logout',
  'authorization_granted',
  'authorization_denied',
  'token_revoked',
  'guest_admitted',
]);

/** Ids and reasons only: never a password, a token, a code, or what somebody typed. */
export type AuditDetails = Readonly<Record<string, string | number | null>>;

/** One line in the log for who came in and who did not. */
export const audit = (request: FastifyRequest, event: AuditEvent, details: AuditDetails = {}): void => {
  const line = { audit: event, ip: request.ip, ...details };
  if (expected.has(event)) request.log.info(line, event);
  else request.log.warn(line, event);
};
