import { createReadStream, statSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import type { ReleaseStore } from './release-store.ts';
import { isDownloadToken } from './download-token.ts';

const MOST_AT_ONCE = 64;
const RETRY_S = '10';

interface Asked {
  readonly rollout_id: string;
  readonly device_id: string;
}

const refused = (): ApiError =>
  new ApiError('unauthorized', 'The token is not for this release', {}, { 'www-authenticate': 'Bearer' });

const tokenIn = ({ headers }: FastifyRequest): string =>
  /^Bearer (\S{1,200})$/.exec(headers.authorization ?? '')?.[1] ?? '';

/** The digest of what this device may have: of an order that it has not come to an end with. */
const offeredTo = async ({ storage }: Services, { rollout_id, device_id }: Asked): Promise<string | null> => {
  const row = await storage.reader
    .selectFrom('rollout_devices as d')
    .innerJoin('rollouts as r', 'r.id', 'd.rollout_id')
    .innerJoin('releases as e', 'e.id', 'r.release_id')
    .select(['e.sha256', 'd.state', 'r.state as rollout_state'])
    .where('d.rollout_id', '=', rollout_id)
    .where('d.device_id', '=', device_id)
    .executeTakeFirst();
  if (row === undefined || row.rollout_state === 'cancelled') return null;
  return ['confirmed', 'rolled_back', 'failed', 'cancelled'].includes(row.state) ? null : row.sha256;
};

/** `bytes=N-` or `bytes=N-M`; everything where nothing is asked for in particular. */
const rangeOf = (header: string | undefined, size: number): { readonly start: number; readonly end: number } | null => {
  if (header === undefined) return { start: 0, end: size - 1 };
  const [, from = '', to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === '') return null;
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  return start <= end ? { start, end } : null;
};

/** For devices that were told to take a release: in ranges, so that a broken line costs only what was not sent. */
export const serveDownloads = (app: FastifyInstance, services: Services, releases: ReleaseStore): void => {
  let under = 0;
  const send = (reply: FastifyReply, file: string, request: FastifyRequest): FastifyReply => {
    const { size } = statSync(file);
    const range = rangeOf(request.headers.range, size);
    if (range === null) {
      const message = 'The range is not within the release';
      throw new ApiError('invalid_request', message, {}, { 'content-range': `bytes */${size}` });
    }
    const { start, end } = range;
    under++;
    const bytes = createReadStream(file, { start, end });
    bytes.once('close', () => under--);
    reply.code(request.headers.range === undefined ? 200 : 206);
    reply.header('accept-ranges', 'bytes').header('content-length', end - start + 1);
    reply.header('content-type', 'application/octet-stream').header('cache-control', 'no-store');
    if (request.headers.range !== undefined) reply.header('content-range', `bytes ${start}-${end}/${size}`);
    return reply.send(bytes);
  };
  app.get('/updates/v1/rollouts/:rollout_id/devices/:device_id/release', async (request, reply) => {
    const asked = request.params as Asked;
    const right = { rolloutId: asked.rollout_id, deviceId: asked.device_id };
    if (!isDownloadToken(services.masterKeys, right, tokenIn(request))) throw refused();
    const sha256 = await offeredTo(services, asked);
    if (sha256 === null || !releases.has(sha256))
      throw new ApiError('not_found', 'The release is not offered to this device');
    if (under >= MOST_AT_ONCE)
      throw new ApiError('rate_limited', 'Too many downloads at once', {}, { 'retry-after': RETRY_S });
    return send(reply, releases.fileOf(sha256), request);
  });
};
