import type { FastifyInstance } from 'fastify';

/** One line for each request: the pattern of its route, never the address with what it carries, no header, no body. */
export const logRequests = (app: FastifyInstance): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { caller, method, log } = request;
    log.info(
      {
        method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        ...(caller === null ? {} : { organization_id: caller.organizationId, application_id: caller.applicationId }),
      },
      'request',
    );
    done();
  });
};
