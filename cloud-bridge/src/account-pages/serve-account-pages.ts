import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import { deriveCsrfToken, findCsrfViolation } from '../accounts/csrf.ts';
import { sendCsrfError } from '../accounts/login-routes.ts';
import { CurrentPassword } from '../accounts/current-password.ts';
import { findNewPasswordProblem } from '../accounts/password-policy.ts';
import {
  createPasskeyRegistrationOptions,
  listPasskeysOfUser,
  registerPasskey,
  removePasskey,
  supportsPasskeys,
} from '../accounts/passkeys.ts';
import { readRequestParameters } from '../accounts/form-and-query-parameters.ts';
import type { SessionCookies } from '../accounts/session-cookies.ts';
import { describeSessionClient } from '../accounts/describe-session-client.ts';
import { selectActiveUserSessions, deleteUserSessionById, type UserSession } from '../accounts/user-sessions.ts';
import { listOrganizationsOfUser, setPasswordAndEndSessions } from '../accounts/users.ts';
import { renderAccountPage } from '../pages/account-page.ts';
import { sendPage } from '../pages/send-page-and-serve-page-assets.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import { createScriptTokenEnder, END_TOKENS, listScriptTokenNames } from './end-script-tokens.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database } from '../storage/schema.ts';

const PATH = '/account';

const notices: Readonly<Record<string, string>> = {
  password: 'Password changed. All other sessions were signed out.',
  password_and_tokens: 'Password changed. All other sessions and your tokens for scripts have ended.',
  session: 'Session signed out.',
  passkey: 'Passkey added. You can sign in with it now.',
  passkey_removed: 'Passkey removed.',
};

/** That of the oldest site of the organizations, as in the console. */
const findTimeZone = async (
  db: Kysely<Database>,
  organizations: readonly { readonly organizationId: string }[],
): Promise<string | null> => {
  if (organizations.length === 0) return null;
  const site = await db
    .selectFrom('sites')
    .select('timezone')
    .where(
      'organization_id',
      'in',
      organizations.map(({ organizationId }) => organizationId),
    )
    .where('is_deleted', '=', 0)
    .where('timezone', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
  return site?.timezone ?? null;
};

/** `/account`: the signed-in user changes the password, manages passkeys and ends sessions. */
export const serveAccountPages = (
  app: FastifyInstance,
  services: BridgeServices,
  cookies: SessionCookies,
  onTokensRevoked: () => void,
): void => {
  const { storage, clock } = services;
  const endScriptTokens = createScriptTokenEnder(services, onTokensRevoked);
  const currentPassword = new CurrentPassword(services);

  const sendAccount = async (
    reply: FastifyReply,
    { token, user }: UserSession,
    { notice, problem, status = 200 }: { notice?: string | undefined; problem?: string; status?: number },
  ): Promise<FastifyReply> => {
    const sessions = await selectActiveUserSessions(storage.writer, user.id, clock())
      .orderBy('seen_at', 'desc')
      .execute();
    const passkeys = await listPasskeysOfUser(storage.writer, user.id);
    const hasPasskeys = supportsPasskeys(services.publicUrl);
    const organizations = await listOrganizationsOfUser(storage.writer, user.id);
    const page = renderAccountPage({
      csrfToken: deriveCsrfToken(token),
      email: user.email,
      organizations,
      timeZone: await findTimeZone(storage.writer, organizations),
      sessions: sessions.map(row => ({
        id: row.hash,
        client: describeSessionClient(row),
        ipAddress: row.ip_address,
        lastUsedAt: toDateTime(instant(row.seen_at)),
        isCurrent: row.hash === hashToken(token),
      })),
      passkeys: passkeys.map(({ id, name, created_at }) => ({
        id,
        name,
        createdAt: toDateTime(instant(created_at)),
      })),
      passkeyOptions: hasPasskeys ? await createPasskeyRegistrationOptions(services, user, token) : null,
      scriptTokens: await listScriptTokenNames(services, user.id),
      notice,
      problem,
    });
    return sendPage(reply, page, { status, hasScript: true });
  };

  /** The session and the fields of a form on this page; null if a response was sent. */
  const readForm = async (request: FastifyRequest, reply: FastifyReply, names: readonly string[]) => {
    const { values } = readRequestParameters(request.body, [...names, 'form_token']);
    const session = await cookies.findSession(request);
    const violation = findCsrfViolation(request, services.publicUrl, session?.token ?? null, values['form_token']);
    if (session !== null && violation === null) return { session, values };
    sendCsrfError(request, reply, violation ?? 'no_session');
    return null;
  };

  /** Sends the page with the problem and returns false if the password is wrong. */
  const checkCurrentPassword = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: UserSession,
    password = '',
  ): Promise<boolean> => {
    const { id } = session.user;
    const result = await currentPassword.check(id, password);
    if (result.kind === 'accepted') return true;
    if (result.kind === 'throttled') {
      const seconds = Math.ceil(result.waitMs / 1000);
      reply.header('retry-after', String(seconds));
      const problem = `Too many attempts. Try again in ${seconds} seconds.`;
      await sendAccount(reply, session, { problem, status: 429 });
      return false;
    }
    logAuditEvent(request, 'password_change_refused', { user_id: id });
    await sendAccount(reply, session, { problem: 'The current password is wrong.', status: 400 });
    return false;
  };

  app.get(PATH, async (request, reply) => {
    const session = await cookies.findSession(request);
    if (session === null) return reply.redirect(`/login?return_to=${encodeURIComponent(PATH)}`, 302);
    const { values } = readRequestParameters(request.query, ['done']);
    return sendAccount(reply, session, { notice: notices[values['done'] ?? ''] });
  });

  app.post(`${PATH}/password`, async (request, reply) => {
    const form = await readForm(request, reply, ['current_password', 'new_password', END_TOKENS]);
    if (form === null) return reply;
    const { session, values } = form;
    const { user, token } = session;
    if (!(await checkCurrentPassword(request, reply, session, values['current_password']))) return reply;
    const { new_password: next = '' } = values;
    const problem = findNewPasswordProblem(next, {
      email: user.email,
      organizationNames: (await listOrganizationsOfUser(storage.writer, user.id)).map(({ name }) => name),
    });
    if (problem !== null) return sendAccount(reply, session, { problem, status: 400 });
    await setPasswordAndEndSessions(storage.writer, user.id, next, token);
    logAuditEvent(request, 'password_changed', { user_id: user.id });
    if (values[END_TOKENS] !== 'yes') return reply.redirect(`${PATH}?done=password`, 303);
    await endScriptTokens(request, user.id);
    return reply.redirect(`${PATH}?done=password_and_tokens`, 303);
  });

  app.post(`${PATH}/sessions/end`, async (request, reply) => {
    const form = await readForm(request, reply, ['session_id']);
    if (form === null) return reply;
    await deleteUserSessionById(storage.writer, form.session.user.id, form.values['session_id'] ?? '');
    return reply.redirect(`${PATH}?done=session`, 303);
  });

  app.post(`${PATH}/passkeys`, async (request, reply) => {
    const form = await readForm(request, reply, ['current_password', 'credential']);
    if (form === null) return reply;
    const { session, values } = form;
    if (!(await checkCurrentPassword(request, reply, session, values['current_password']))) return reply;
    const name = describeSessionClient({ user_agent: request.headers['user-agent'] ?? null });
    const added = { answer: values['credential'] ?? '', secret: session.token, name };
    if (!(await registerPasskey(services, session.user.id, added))) {
      logAuditEvent(request, 'passkey_refused', { user_id: session.user.id });
      return sendAccount(reply, session, { problem: 'The passkey could not be added. Try again.', status: 400 });
    }
    logAuditEvent(request, 'passkey_added', { user_id: session.user.id });
    return reply.redirect(`${PATH}?done=passkey`, 303);
  });

  app.post(`${PATH}/passkeys/remove`, async (request, reply) => {
    const form = await readForm(request, reply, ['passkey_id']);
    if (form === null) return reply;
    const { id } = form.session.user;
    if (await removePasskey(storage.writer, id, form.values['passkey_id'] ?? '')) {
      logAuditEvent(request, 'passkey_removed', { user_id: id });
    }
    return reply.redirect(`${PATH}?done=passkey_removed`, 303);
  });
};
