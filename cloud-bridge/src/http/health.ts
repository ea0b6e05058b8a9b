import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { isStorageFull } from '../storage/database-error.ts';
import type { Storage } from '../storage/open-storage.ts';

const notReady = (message: string) => ({ type: 'not_ready', message, args: {} });

/** `/healthz`: the process is running. `/readyz`: it can serve requests. */
export const serveHealth = (app: FastifyInstance, { reader, monitor }: Storage): void => {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    if (isClosing) return reply.code(503).send(notReady('The bridge is stopping'));
    try {
      await sql`select 1`.execute(reader);
      await monitor.checkSpace();
      return { status: 'ok' };
    } catch (error) {
      return reply
        .code(503)
        .send(notReady(isStorageFull(error) ? 'The disk of the database is full' : 'The database is not reachable'));
    }
  });
};
