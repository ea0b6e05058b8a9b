import type { FastifyInstance } from 'fastify';

/** Logs the route pattern of each request, but never its URL, headers or body, which can contain secrets. */
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
