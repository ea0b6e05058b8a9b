import { performance } from 'node:perf_hooks';
import { redemption, renewal } from '@lintel/wire-protocol/claiming/redemption';
import { parseRequest } from '@lintel/wire-protocol/rest/request';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { orThrow } from '../../http/api-error.ts';
import { RateLimiter } from '../../http/rate-limit.ts';
import { type ClaimDesk, redeem } from './redeem.ts';
import { renew } from './renew.ts';

/**
 * Whoever guesses codes of 60 bits at this pace is busy for longer than there are doors. What was right does not count: a
 * whole house may be claimed from behind one address.
 */
const attempts = { perSecond: 5, burst: 100 };

/** `/claim/v1`: for controllers, which have a ticket or a key of their own and no token. */
export const serveClaiming = (app: FastifyInstance, desk: ClaimDesk): void => {
  const limiter = new RateLimiter(attempts, () => performance.now());
  const limited = async <T>({ ip }: FastifyRequest, attempt: () => Promise<T>): Promise<T> => {
    limiter.take(ip);
    const answer = await attempt();
    limiter.giveBack(ip);
    return answer;
  };
  app.post('/claim/v1/redeem', request =>
    limited(request, async () => redeem(desk, orThrow(parseRequest(redemption, request.body ?? {})))),
  );
  app.post('/claim/v1/renew', request =>
    limited(request, async () => renew(desk, orThrow(parseRequest(renewal, request.body ?? {})))),
  );
};
