import { performance } from 'node:perf_hooks';
import {
  guestLoginCodeSubmissionRequestSchema,
  guestLoginCodeRequestSchema,
  type GuestLoginCodeResponse,
  guestActionRequestSchema,
  guestPinRequestSchema,
  magicLinkLoginRequestSchema,
  phoneEnrollmentRequestSchema,
} from '@lintel/wire-protocol/guest/guest-api';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import { isCrossOriginRequest } from '../accounts/csrf.ts';
import type { DeviceActionExecutor } from '../actions/device-action-executor-interface.ts';
import { executeGadgetActionAsMember } from '../actions/gadget-actions.ts';
import { ApiError, createInvalidFieldError, createNotFoundError, unwrapOrThrow } from '../http/api-error.ts';
import { parseUserAgent } from '../http/user-agent.ts';
import { type NetworkRateLimiter, RateLimiter } from '../http/rate-limit.ts';
import { rejectUnstorableParams } from '../http/reject-unstorable-parameters.ts';
import { deleteMemberCredential } from '../resources/member-credentials.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { findMemberByMagicLink } from './find-guest-members.ts';
import { enrollGuestPhone, findPhoneOwner } from './enroll-phone.ts';
import { loadContactOfInvalidLink, toContactArgs } from './guest-contact.ts';
import { revealGuestPins } from './guest-pins.ts';
import { buildGuestMeResponse } from './guest-me-response.ts';
import type { GuestSessionCookies } from './guest-session-cookies.ts';
import type { AuthenticatedGuestMember } from './guest-sessions.ts';
import type { GuestEmailCodeLogin } from './guest-email-code-login.ts';

export interface GuestApiDependencies {
  readonly services: BridgeServices;
  readonly actions: DeviceActionExecutor;
  readonly cookies: GuestSessionCookies;
  readonly login: GuestEmailCodeLogin;
  readonly limiter: NetworkRateLimiter;
}

/** Ten times, then once in a minute. */
const REVEAL_RATE = { perSecond: 1 / 60, burst: 10 };

const parseBody = <S extends z.ZodType>(schema: S, request: FastifyRequest): z.output<S> =>
  unwrapOrThrow(parseRequestBody(schema, request.body ?? {}));

const sendJson = (reply: FastifyReply, answer: object): FastifyReply =>
  reply
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(answer));

/** The member that acts: `memberId` is required if the session has several members. */
const selectMember = (
  members: readonly AuthenticatedGuestMember[],
  memberId: string | undefined,
): AuthenticatedGuestMember => {
  const [first, second] = members;
  if (memberId === undefined && first !== undefined && second === undefined) return first;
  const found = members.find(({ member }) => member.id === memberId);
  if (found === undefined) throw createInvalidFieldError('member_id', 'must be the id of a member of this session');
  return found;
};

/** Writes an audit entry for each member that is admitted and for each rejection. */
const auditAdmission = async (
  request: FastifyRequest,
  admit: () => Promise<readonly AuthenticatedGuestMember[]>,
): Promise<void> => {
  try {
    for (const { member } of await admit()) logAuditEvent(request, 'guest_admitted', { member_id: member.id });
  } catch (error) {
    if (error instanceof ApiError) {
      logAuditEvent(request, error.type === 'rate_limited' ? 'guest_throttled' : 'guest_refused', {
        problem: error.type,
      });
    }
    throw error;
  }
};

/** `/guest/v1`: the API of the guest pages. Sessions use a cookie, so writes from other origins are rejected. */
export const serveGuestApi = (
  app: FastifyInstance,
  { services, actions, cookies, login, limiter }: GuestApiDependencies,
): void => {
  app.addHook('onRequest', async request => {
    limiter.take(request.ip);
    if (request.method !== 'GET' && isCrossOriginRequest(request, services.publicUrl)) {
      throw new ApiError('forbidden', 'Requests from other sites are not permitted');
    }
  });

  app.post('/guest/v1/session', async (request, reply) => {
    await auditAdmission(request, async () => {
      const { magic_link: token } = parseBody(magicLinkLoginRequestSchema, request);
      const membership = await findMemberByMagicLink(services, token);
      if (membership === null) {
        const contact = await loadContactOfInvalidLink(services, token);
        const args = contact === null ? {} : toContactArgs(contact);
        throw new ApiError('not_found', 'This link is unknown or no longer valid', args);
      }
      await cookies.signIn(request, reply, [membership]);
      return [membership];
    });
    return sendJson(reply, {});
  });

  app.delete('/guest/v1/session', async (request, reply) => {
    await cookies.signOut(request, reply);
    return sendJson(reply, {});
  });

  app.post('/guest/v1/login', async (request, reply) => {
    const { email } = parseBody(guestLoginCodeRequestSchema, request);
    const { loginId } = await login.sendCode(email, request.ip, address => cookies.knownDevice(request, address));
    return sendJson(reply, { login_id: loginId } satisfies GuestLoginCodeResponse);
  });

  app.post('/guest/v1/login/code', async (request, reply) => {
    await auditAdmission(request, async () => {
      const { login_id, code } = parseBody(guestLoginCodeSubmissionRequestSchema, request);
      const { email, members } = await login.redeemCode({ loginId: login_id, code }, request.ip);
      await cookies.signIn(request, reply, members);
      cookies.rememberDevice(reply, email);
      return members;
    });
    return sendJson(reply, {});
  });

  app.get('/guest/v1/me', async (request, reply) =>
    sendJson(reply, await buildGuestMeResponse(services, await cookies.activeMembers(request))),
  );

  // By member and not by network: a session that was stolen must not read PINs often.
  const reveals = new RateLimiter(REVEAL_RATE, () => performance.now());

  app.post('/guest/v1/pins/reveal', async (request, reply) => {
    const members = await cookies.activeMembers(request);
    const guest = selectMember(members, parseBody(guestPinRequestSchema, request).member_id);
    const { member, credential } = guest;
    reveals.take(member.id);
    const client = parseUserAgent(request.headers['user-agent']);
    const actor = { ...credential, member_id: member.id, ip_address: request.ip, client };
    return sendJson(reply, await revealGuestPins(services, guest, actor));
  });

  app.post('/guest/v1/phone_keys', async (request, reply) => {
    const members = await cookies.activeMembers(request);
    const { member_id, public_key } = parseBody(phoneEnrollmentRequestSchema, request);
    const { member, credential } = selectMember(members, member_id);
    const client = parseUserAgent(request.headers['user-agent']);
    const actor = { ...credential, member_id: member.id, ip_address: request.ip, client };
    const enrolled = await services.writer.write(member.organization_id, actor, context =>
      enrollGuestPhone(context, member.id, public_key, credential),
    );
    return sendJson(reply, enrolled);
  });

  app.delete('/guest/v1/phone_keys/:member_token_id', async (request, reply) => {
    const params = request.params as { readonly member_token_id: string };
    rejectUnstorableParams(params);
    const { member_token_id: id } = params;
    // Also after the access of the member has ended.
    const owner = await findPhoneOwner(services.storage, await cookies.members(request), id);
    if (owner === undefined) throw createNotFoundError('member_token', id);
    const { member, credential } = owner;
    const client = parseUserAgent(request.headers['user-agent']);
    const actor = { ...credential, member_id: member.id, ip_address: request.ip, client };
    await services.writer.write(member.organization_id, actor, context =>
      deleteMemberCredential(context, 'member_token', { parentId: member.id, id }),
    );
    return sendJson(reply, {});
  });

  app.post('/guest/v1/gadgets/:gadget_id/actions/:action_id', async (request, reply) => {
    const params = request.params as { readonly gadget_id: string; readonly action_id: string };
    rejectUnstorableParams(params);
    const members = await cookies.members(request);
    const { member_id, location } = parseBody(guestActionRequestSchema, request);
    const { member, credential } = selectMember(members, member_id);
    const client = parseUserAgent(request.headers['user-agent']);
    await executeGadgetActionAsMember(
      { writer: services.writer, storage: services.storage, actions },
      null,
      {
        organizationId: member.organization_id,
        gadgetId: params.gadget_id,
        actionId: params.action_id,
        actor: { ...credential, ip_address: request.ip, client },
      },
      { memberId: member.id, location: location ?? null },
    );
    return sendJson(reply, {});
  });
};
