import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';

const notReady = (message: string) => ({ type: 'not_ready', message, args: {} });

/** `/healthz`: the process is running. `/readyz`: it can serve requests. */
export const serveHealth = (app: FastifyInstance, { reader }: Storage): void => {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    if (isClosing) return reply.code(503).send(notReady('The bridge is stopping'));
    try {
      await sql`select 1`.execute(reader);
      return { status: 'ok' };
    } catch (error) {
      request.log.warn({ reason: (error as Error).message }, 'Database not reachable');
      return reply.code(503).send(notReady('The database is not reachable'));
    }
  });
};
