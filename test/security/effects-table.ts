/*
 * What creates somebody or something that may act, or reveals a secret: who may do it, what limits the number, and how it
 * ends. `effects.test.ts` finds these routes by calling all of them, and fails for one that is not listed here.
 */

/** What limits how many a caller can have, with the test that shows it. */
const quotas = {
  requests: 'test/api/http/http-errors-headers-and-rate-limit.test.ts',
  organizations: 'test/api/admin/sessions-organizations-users-and-applications.test.ts',
  invitations: 'test/api/admin/invitations.test.ts',
  objectsOfOrganization: 'test/api/admin/object-quotas.test.ts',
  tokensOfUser: 'test/api/admin/application-secrets-and-script-tokens.test.ts',
  phonesOfMember: 'test/api/guests/phone-enrollment.test.ts',
  passwordAttempts: 'test/api/oauth/login.test.ts',
  resetMails: 'test/api/oauth/password-reset.test.ts',
  loginCodes: 'test/api/guests/guest-login-with-email-code.test.ts',
  revealsByGuest: 'test/api/guests/guest-pins.test.ts',
  credentialMails: 'test/api/admin/credential-mail.test.ts',
  oneForEachConsent: 'test/api/oauth/token-endpoint.test.ts',
  oneForEachTicket: 'test/devices/claiming/redeem-renew-and-broker-login.test.ts',
  oneForEachCode: 'test/api/admin/first-run.test.ts',
  oneForEachLink: 'test/api/guests/guest-api-with-magic-link.test.ts',
  passkeys: 'test/api/oauth/account-page.test.ts',
} as const;

/** How it ends, with the test that shows it. */
const ends = {
  deleted: 'test/api/resources/member-credentials.test.ts',
  shownOnce: 'test/api/http/secrets-not-leaked.test.ts',
  loggedEachTime: 'test/api/resources/member-pins.test.ts',
  removedUser: 'test/api/admin/roles.test.ts',
  expiredInvitation: 'test/api/admin/invitations.test.ts',
  deletedApplication: 'test/api/admin/sessions-organizations-users-and-applications.test.ts',
  endsWithCreator: 'test/api/admin/application-secrets-and-script-tokens.test.ts',
  expires: 'test/api/oauth/token-endpoint.test.ts',
  logout: 'test/api/oauth/login.test.ts',
  expiredReset: 'test/api/oauth/password-reset.test.ts',
  expiredTicket: 'test/devices/claiming/tickets.test.ts',
  expiredPass: 'test/technician/technician-pass-login.test.ts',
  revokedCertificate: 'test/devices/claiming/redeem-renew-and-broker-login.test.ts',
  deletedOrganization: 'test/operate/organization-deletion.test.ts',
  endsWithSource: 'test/api/guests/phone-enrollment.test.ts',
  expiredCode: 'test/api/guests/guest-login-with-email-code.test.ts',
  removedPasskey: 'test/api/oauth/account-page.test.ts',
} as const;

export const testsOfLimits = { quotas, ends };

export interface DeclaredEffect {
  /** Of a role, or what else the caller must have. */
  readonly needs: string;
  readonly quota: keyof typeof quotas;
  readonly end: keyof typeof ends;
}

const effect = (needs: string, quota: DeclaredEffect['quota'], end: DeclaredEffect['end']): DeclaredEffect => ({
  needs,
  quota,
  end,
});

const ADMIN = '/admin/v1/organizations/:organization_id';
const MEMBER = '/members/:member_id';
const WRITE = 'full_read_write';

/** The same in both APIs. The public API requires the scope, the admin API the permission. */
const inBothApis = (path: string, permission: string, quota: DeclaredEffect['quota'], end: DeclaredEffect['end']) => ({
  [`POST /v2${path}`]: effect(WRITE, quota, end),
  [`POST ${ADMIN}${path}`]: effect(permission, quota, end),
});

/** Routes of the endpoint tables. */
export const endpointEffects: Readonly<Record<string, DeclaredEffect>> = {
  ...inBothApis(`${MEMBER}/emails`, 'members.write', 'requests', 'deleted'),
  ...inBothApis(`${MEMBER}/magic_links`, 'members.write', 'requests', 'deleted'),
  ...inBothApis(
    `${MEMBER}/magic_links/:member_magic_link_id/reveal`,
    'credentials.reveal',
    'requests',
    'loggedEachTime',
  ),
  ...inBothApis(`${MEMBER}/pins`, 'members.write', 'requests', 'deleted'),
  ...inBothApis(`${MEMBER}/pins/:member_pin_id/reveal`, 'credentials.reveal', 'requests', 'loggedEachTime'),
  ...inBothApis(`${MEMBER}/cards`, 'members.write', 'requests', 'deleted'),
  ...inBothApis(`${MEMBER}/tokens`, 'members.write', 'requests', 'deleted'),
  [`POST ${ADMIN}/member_import`]: effect('members.write', 'requests', 'deleted'),
  'POST /v2/webhooks': effect(WRITE, 'objectsOfOrganization', 'shownOnce'),
  [`POST ${ADMIN}/applications/:application_id/webhooks`]: effect(
    'applications.write',
    'objectsOfOrganization',
    'shownOnce',
  ),
  'POST /admin/v1/organizations': effect('a session', 'organizations', 'deletedOrganization'),
  'GET /admin/v1/session': effect('a session', 'requests', 'logout'),
  [`POST ${ADMIN}/users`]: effect('users.write', 'invitations', 'expiredInvitation'),
  [`POST ${ADMIN}/users/:user_id/invitation`]: effect('users.write', 'invitations', 'expiredInvitation'),
  [`POST ${ADMIN}/applications`]: effect('applications.write', 'objectsOfOrganization', 'deletedApplication'),
  [`POST ${ADMIN}/applications/:application_id/rotate_secret`]: effect('applications.write', 'requests', 'shownOnce'),
  [`POST ${ADMIN}/tokens`]: effect('applications.write', 'tokensOfUser', 'endsWithCreator'),
  [`POST ${ADMIN}${MEMBER}/emails/:member_email_id/send`]: effect('members.write', 'credentialMails', 'deleted'),
  [`POST ${ADMIN}/claim_tickets`]: effect('claim_tickets.write', 'objectsOfOrganization', 'expiredTicket'),
  [`POST ${ADMIN}/technician_passes`]: effect('technician_passes.write', 'requests', 'expiredPass'),
};

/** Registered routes outside the endpoint tables; null for those that create and reveal nothing. */
export const otherEffects: Readonly<Record<string, DeclaredEffect | null>> = {
  'POST /setup': effect('the code that the bridge prints', 'oneForEachCode', 'logout'),
  'POST /login': effect('the password', 'passwordAttempts', 'logout'),
  'POST /login/passkey': effect('the passkey', 'passwordAttempts', 'logout'),
  'POST /logout': null,
  'POST /alert-address': null,
  'POST /invitation': effect('the link of the invitation', 'invitations', 'removedUser'),
  'POST /forgot-password': effect('the mailbox of the address', 'resetMails', 'expiredReset'),
  'POST /reset-password': effect('the link of the reset', 'resetMails', 'logout'),
  'POST /account/password': effect('a session and the password', 'passwordAttempts', 'logout'),
  'POST /account/passkeys': effect('a session and the password', 'passkeys', 'removedPasskey'),
  'POST /account/passkeys/remove': null,
  'POST /account/sessions/end': null,
  'POST /oauth2/auth': effect('a session and the consent', 'oneForEachConsent', 'expires'),
  'POST /oauth2/token': effect('a code or refresh token and the secret', 'oneForEachConsent', 'expires'),
  'POST /oauth2/revoke': null,
  'POST /claim/v1/redeem': effect('a claim ticket', 'oneForEachTicket', 'revokedCertificate'),
  'POST /claim/v1/replacement': null,
  'POST /claim/v1/renew': effect('the key of the certificate', 'oneForEachTicket', 'revokedCertificate'),
  'POST /guest/v1/session': effect('a magic link', 'oneForEachLink', 'endsWithSource'),
  'DELETE /guest/v1/session': null,
  'POST /guest/v1/login': effect('the mailbox of the address', 'loginCodes', 'expiredCode'),
  'POST /guest/v1/login/code': effect('the code', 'loginCodes', 'endsWithSource'),
  'POST /guest/v1/pins/reveal': effect('a session of the member', 'revealsByGuest', 'loggedEachTime'),
  'POST /guest/v1/phone_keys': effect('a session of a guest', 'phonesOfMember', 'endsWithSource'),
  'DELETE /guest/v1/phone_keys/:member_token_id': null,
  'POST /guest/v1/gadgets/:gadget_id/actions/:action_id': null,
};

/** A row in one of these is somebody or something that may act, or a means to become it. */
export const principalTables: readonly string[] = [
  'claim_tickets',
  'device_certificates',
  'device_links',
  'guest_codes',
  'guest_sessions',
  'member_cards',
  'member_emails',
  'member_magic_links',
  'member_pins',
  'member_tokens',
  'oauth_applications',
  'oauth_grants',
  'oauth_tokens',
  'organization_users',
  'organizations',
  'passkeys',
  'password_resets',
  'sessions',
  'user_invitations',
  'users',
];

/** Other tables with a column whose name sounds like a secret, and why their rows let nobody act. */
export const tablesWithOtherSecrets: Readonly<Record<string, string>> = {
  alert_addresses: 'links that permit alerts to an address',
  alert_rules: 'webhooks to the operator of the organization',
  idempotency_keys: 'responses, for the same token only',
  device_sync: 'which digest key a controller uses',
  key_checks: 'check values of the master keys',
  organization_keys: 'created with the organization, and used by the bridge only',
  pin_claims: 'indexes of PINs',
  pin_prefixes: 'indexes of PINs',
  releases: 'digests of public files',
  shared_key_files: 'keys of the bridges themselves',
  sent_revocations: 'signed revocations',
  webhooks: 'secrets with which the bridge signs',
};

/** Fields of responses that contain a secret. */
export const secretFields: ReadonlySet<string> = new Set([
  'access_token',
  'client_secret',
  'csrf_token',
  'invitation_url',
  'link',
  'pass',
  'pin',
  'refresh_token',
  'secret',
  'ticket',
  'token',
  'webhook_secret',
]);

/** Routes of `endpointEffects` that reveal something, but not to the caller. */
export const revealedByMail: readonly string[] = [`POST ${ADMIN}${MEMBER}/emails/:member_email_id/send`];

/** Files that keep a connection or bytes open for a caller: what limits how many, and when each ends. */
export const openResources: Readonly<Record<string, string>> = {
  'cloud-bridge/src/acme/challenge-listener.ts': 'connections per network and in all; timeouts of requests',
  'cloud-bridge/src/admin/endpoints/releases.ts':
    'uploads and bytes per organization, user and bridge; 24 hours without a new part',
  'cloud-bridge/src/commands/https-listener.ts': 'connections per network and in all; timeouts of requests',
  'cloud-bridge/src/devices/remote-technician/remote-technician-live-stream.ts':
    'one for each technician and controller; a slow reader, a lost permission, 5 s without a heartbeat',
  'cloud-bridge/src/http/serve-metrics.ts': 'connections per network and in all; timeouts of requests',
  'cloud-bridge/src/streaming/event-stream-route.ts':
    'streams per token, organization and network; a slow reader, the end of the token',
  'cloud-bridge/src/updates/release-download-route.ts': 'downloads per device and in all; the end of the file',
  'packages/broker/src/broker-listeners.ts': 'connections per network and in all; the certificate, the keep-alive time',
};
