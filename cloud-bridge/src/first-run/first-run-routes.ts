import cookies from '@fastify/cookie';
import { firstRunRequestSchema } from '@lintel/wire-protocol/admin/first-run';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createTooManyAttemptsError } from '../accounts/attempt-throttle.ts';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import { isCrossOriginRequest } from '../accounts/csrf.ts';
import { createSharedNetworkThrottle } from '../accounts/shared-attempt-throttle.ts';
import { SessionCookies } from '../accounts/session-cookies.ts';
import { ApiError, unwrapOrThrow, apiErrorFactory } from '../http/api-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { FIRST_RUN_PATH, type FirstRunSetup } from './first-run-setup.ts';

/** There is no limit for all networks together: strangers could use it up, and the code has too many bits to be guessed. */
const FREE_ATTEMPTS_PER_NETWORK = 5;

/** `POST /setup`. Once an account exists, the path is unknown. */
export const serveFirstRunRoute = (app: FastifyInstance, services: BridgeServices, firstRun: FirstRunSetup): void => {
  const { storage } = services;
  const networks = createSharedNetworkThrottle(storage, 'first-run/network', FREE_ATTEMPTS_PER_NETWORK);

  const requirePending = async (): Promise<void> => {
    if (!(await firstRun.isPending())) throw apiErrorFactory.notFound();
  };

  const requireCode = async (request: FastifyRequest, code: string): Promise<void> => {
    const now = services.clock();
    const waitMs = await networks.registerAttempt(request.ip, now);
    if (waitMs > 0) {
      logAuditEvent(request, 'first_run_throttled');
      throw createTooManyAttemptsError(waitMs);
    }
    if (!firstRun.isCode(code)) {
      logAuditEvent(request, 'first_run_refused');
      throw new ApiError('forbidden', 'Wrong code. Use the code that the bridge printed at its start');
    }
    await networks.undoLastAttempt(request.ip);
  };

  app.register(async scope => {
    await scope.register(cookies);
    const sessions = new SessionCookies(services);
    scope.post(FIRST_RUN_PATH, async (request, reply) => {
      await requirePending();
      if (isCrossOriginRequest(request, services.publicUrl))
        throw new ApiError('forbidden', 'Requests from other sites are not permitted');
      const body = unwrapOrThrow(parseRequestBody(firstRunRequestSchema, request.body ?? {}));
      await requireCode(request, body.code);
      const account = await firstRun.createAccount(body);
      if (account === null) throw apiErrorFactory.notFound();
      await sessions.signIn(request, reply, account.userId);
      logAuditEvent(request, 'first_run_completed', {
        user_id: account.userId,
        organization_id: account.organizationId,
      });
      return { organization_id: account.organizationId };
    });
  });
};
