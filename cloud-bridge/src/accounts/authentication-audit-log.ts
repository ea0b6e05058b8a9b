import type { FastifyRequest } from 'fastify';

/** Authentication and authorization events, by their name in the log. */
export type AuditEventName =
  | 'login_succeeded'
  | 'login_refused'
  | 'login_throttled'
  | 'logout'
  | 'invitation_accepted'
  | 'invitation_refused'
  | 'password_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_refused'
  | 'password_change_refused'
  | 'password_reset_requested'
  | 'password_reset_refused'
  | 'alert_address_confirmed'
  | 'password_reset_throttled'
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
  | 'first_run_completed'
  | 'first_run_refused'
  | 'first_run_throttled'
  | 'guest_admitted'
  | 'guest_refused'
  | 'guest_throttled';

const routineEvents: ReadonlySet<AuditEventName> = new Set([
  'login_succeeded',
  'logout',
  'invitation_accepted',
  'password_changed',
  'passkey_added',
  'passkey_removed',
  'password_reset_requested',
  'authorization_granted',
  'authorization_denied',
  'token_revoked',
  'first_run_completed',
  'guest_admitted',
]);

/** Ids and reasons only: never a password, a token, a code or other user input. */
export type AuditDetails = Readonly<Record<string, string | number | null>>;

/** Logs routine events as info, rejections as warnings. */
export const logAuditEvent = (request: FastifyRequest, event: AuditEventName, details: AuditDetails = {}): void => {
  const entry = { audit: event, ip: request.ip, ...details };
  if (routineEvents.has(event)) request.log.info(entry, event);
  else request.log.warn(entry, event);
};
