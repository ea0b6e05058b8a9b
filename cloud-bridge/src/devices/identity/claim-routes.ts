import { performance } from 'node:perf_hooks';
import { controllerReplacementRequestSchema } from '@lintel/wire-protocol/claiming/controller-replacement';
import {
  redeemClaimRequestSchema,
  renewCertificateRequestSchema,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unwrapOrThrow } from '../../http/api-error.ts';
import { NetworkRateLimiter } from '../../http/rate-limit.ts';
import { answerReplacedController } from './controller-replacement.ts';
import { type ClaimDependencies, redeemClaim } from './redeem-claim.ts';
import { renewDeviceCertificate } from './renew-device-certificate.ts';

/**
 * Slow enough that guessing 60-bit codes is hopeless. Successful attempts do not count, because many controllers of one
 * building may be claimed from the same address.
 */
const attemptLimit = { perSecond: 5, burst: 100 };

const ACCEPTED = 202;

/** Not final: the controller repeats its claim. */
const waitingForConfirmation = {
  type: 'confirmation_required',
  message:
    'The claim waits for the confirmation of an administrator. Until then the present controller of the device stays in use',
};

/** `/claim/v1`: for controllers, which authenticate with a claim ticket or their key instead of a token. */
export const serveClaimRoutes = (app: FastifyInstance, claimServices: ClaimDependencies): void => {
  const limiter = new NetworkRateLimiter(attemptLimit, () => performance.now());
  const limited = async <T>({ ip }: FastifyRequest, attempt: () => Promise<T>): Promise<T> => {
    limiter.take(ip);
    const response = await attempt();
    limiter.returnPermit(ip);
    return response;
  };
  app.post('/claim/v1/redeem', (request, reply) =>
    limited(request, async () => {
      const body = unwrapOrThrow(parseRequestBody(redeemClaimRequestSchema, request.body ?? {}));
      const claim = await redeemClaim(claimServices, body);
      return claim.kind === 'enrolled' ? claim.response : reply.code(ACCEPTED).send(waitingForConfirmation);
    }),
  );
  app.post('/claim/v1/renew', request =>
    limited(request, async () =>
      renewDeviceCertificate(
        claimServices,
        unwrapOrThrow(parseRequestBody(renewCertificateRequestSchema, request.body ?? {})),
      ),
    ),
  );
  app.post('/claim/v1/replacement', request =>
    limited(request, async () =>
      answerReplacedController(
        claimServices.services,
        unwrapOrThrow(parseRequestBody(controllerReplacementRequestSchema, request.body ?? {})),
        request.ip,
      ),
    ),
  );
};
