import {
  codeEntry,
  codeRequest,
  type CodeRequestAnswer,
  guestAction,
  linkOpening,
} from '@lintel/wire-protocol/guest/guest-api';
import { parseRequest } from '@lintel/wire-protocol/rest/request';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { audit } from '../accounts/audit.ts';
import { isForeignOrigin } from '../accounts/form-token.ts';
import { networkOf } from '../accounts/login-throttle.ts';
import type { ActionPort } from '../actions/action-port.ts';
import { performActionAsMember } from '../actions/gadget-actions.ts';
import { ApiError, invalid, orThrow } from '../http/api-error.ts';
import { clientInfo } from '../http/client-info.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { refuseStrangeParams } from '../http/storable-text.ts';
import type { Services } from '../services.ts';
import { memberOfLink } from './find-memberships.ts';
import { guestAnswerFor } from './guest-answer.ts';
import type { GuestBrowser } from './guest-browser.ts';
import type { Membership } from './guest-sessions.ts';
import type { LoginService } from './login-service.ts';

export interface GuestDependencies {
  readonly services: Services;
  readonly actions: ActionPort;
  readonly browser: GuestBrowser;
  readonly login: LoginService;
  readonly limiter: RateLimiter;
}

const bodyOf = <S extends z.ZodType>(schema: S, request: FastifyRequest): z.output<S> =>
  orThrow(parseRequest(schema, request.body ?? {}));

const sendJson = (reply: FastifyReply, answer: object): FastifyReply =>
  reply
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(answer));

/** The one that acts: it must be named where there are several. */
const chosen = (memberships: readonly Membership[], memberId: string | undefined): Membership => {
  const [first, second] = memberships;
  if (memberId === undefined && first !== undefined && second === undefined) return first;
  const found = memberships.find(({ member }) => member.id === memberId);
  if (found === undefined) throw invalid('member_id', 'member_id must be one of those who are logged in here');
  return found;
};

/** Who is refused on the way in leaves a line in the log. */
const admitting = async (request: FastifyRequest, admit: () => Promise<readonly Membership[]>): Promise<void> => {
  try {
    for (const { member } of await admit()) audit(request, 'guest_admitted', { member_id: member.id });
  } catch (error) {
    if (error instanceof ApiError) {
      audit(request, error.type === 'rate_limited' ? 'guest_throttled' : 'guest_refused', { problem: error.type });
    }
    throw error;
  }
};

/** `/guest/v1`: the guest pages' own API. Its session is a cookie, so every write must come from our own pages. */
export const serveGuestApi = (
  app: FastifyInstance,
  { services, actions, browser, login, limiter }: GuestDependencies,
): void => {
  app.addHook('onRequest', async request => {
    limiter.take(networkOf(request.ip));
    if (request.method !== 'GET' && isForeignOrigin(request, services.publicUrl)) {
      throw new ApiError('forbidden', 'This page belongs to another site');
    }
  });

  app.post('/guest/v1/session', async (request, reply) => {
    await admitting(request, async () => {
      const membership = await memberOfLink(services, bodyOf(linkOpening, request).magic_link);
      if (membership === null) throw new ApiError('not_found', 'There is no such link, or not any more');
      await browser.admit(request, reply, [membership]);
      return [membership];
    });
    return sendJson(reply, {});
  });

  app.delete('/guest/v1/session', async (request, reply) => {
    await browser.leave(request, reply);
    return sendJson(reply, {});
  });

  app.post('/guest/v1/login', async (request, reply) => {
    const { loginId } = await login.sendCode(bodyOf(codeRequest, request).email, request.ip);
    return sendJson(reply, { login_id: loginId } satisfies CodeRequestAnswer);
  });

  app.post('/guest/v1/login/code', async (request, reply) => {
    await admitting(request, async () => {
      const { login_id, code } = bodyOf(codeEntry, request);
      const memberships = await login.takeCode({ loginId: login_id, code }, request.ip);
      await browser.admit(request, reply, memberships);
      return memberships;
    });
    return sendJson(reply, {});
  });

  app.get('/guest/v1/me', async (request, reply) =>
    sendJson(reply, await guestAnswerFor(services, await browser.presentMemberships(request))),
  );

  app.post('/guest/v1/gadgets/:gadget_id/actions/:action_id', async (request, reply) => {
    const params = request.params as { readonly gadget_id: string; readonly action_id: string };
    refuseStrangeParams(params);
    const memberships = await browser.memberships(request);
    const { member_id, location } = bodyOf(guestAction, request);
    const { member, proof } = chosen(memberships, member_id);
    const client = clientInfo(request.headers['user-agent']);
    await performActionAsMember(
      { writer: services.writer, storage: services.storage, actions },
      {
        organizationId: member.organization_id,
        gadgetId: params.gadget_id,
        actionId: params.action_id,
        actor: { ...proof, ip_address: request.ip, client },
      },
      { memberId: member.id, location: location ?? null },
    );
    return sendJson(reply, {});
  });
};
