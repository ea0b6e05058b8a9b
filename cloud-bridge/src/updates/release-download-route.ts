import { createReadStream, statSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { ReleaseStore } from './release-store.ts';
import { isValidReleaseDownloadToken } from './download-token.ts';

const MAX_CONCURRENT_DOWNLOADS = 64;
/** More than one, because an interrupted download stays open for a while after the device continues it. */
const MAX_CONCURRENT_DOWNLOADS_PER_DEVICE = 3;
const RETRY_S = '10';

interface DownloadParameters {
  readonly rollout_id: string;
  readonly device_id: string;
}

const tokenError = (): ApiError =>
  new ApiError('unauthorized', 'The token is not valid for this release', {}, { 'www-authenticate': 'Bearer' });

const bearerToken = ({ headers }: FastifyRequest): string =>
  /^Bearer (\S{1,200})$/.exec(headers.authorization ?? '')?.[1] ?? '';

/** The digest of the release that is offered to the device. Null if its part of the roll-out has ended. */
const findOfferedDigest = async (
  { storage }: BridgeServices,
  { rollout_id, device_id }: DownloadParameters,
): Promise<string | null> => {
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

/** Parses `bytes=N-` or `bytes=N-M`. The whole file without a header, null if invalid. */
const parseRange = (
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | null => {
  if (header === undefined) return { start: 0, end: size - 1 };
  const [, from = '', to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === '') return null;
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  return start <= end ? { start, end } : null;
};

/** Serves releases to the devices of a roll-out. Supports ranges, so that an interrupted download can continue. */
export const serveReleaseDownloads = (app: FastifyInstance, services: BridgeServices, releases: ReleaseStore): void => {
  let activeDownloads = 0;
  const activeByDevice = new Map<string, number>();
  const activeOf = (device: string): number => activeByDevice.get(device) ?? 0;
  const count = (device: string, change: 1 | -1): void => {
    activeDownloads += change;
    const active = activeOf(device) + change;
    if (active === 0) activeByDevice.delete(device);
    else activeByDevice.set(device, active);
  };
  const send = (reply: FastifyReply, file: string, request: FastifyRequest, device: string): FastifyReply => {
    const { size } = statSync(file);
    const range = parseRange(request.headers.range, size);
    if (range === null) {
      const message = 'The range is outside the release';
      throw new ApiError('invalid_request', message, {}, { 'content-range': `bytes */${size}` });
    }
    const { start, end } = range;
    count(device, 1);
    const bytes = createReadStream(file, { start, end });
    bytes.once('close', () => count(device, -1));
    reply.code(request.headers.range === undefined ? 200 : 206);
    reply.header('accept-ranges', 'bytes').header('content-length', end - start + 1);
    reply.header('content-type', 'application/octet-stream').header('cache-control', 'no-store');
    if (request.headers.range !== undefined) reply.header('content-range', `bytes ${start}-${end}/${size}`);
    return reply.send(bytes);
  };
  app.get('/updates/v1/rollouts/:rollout_id/devices/:device_id/release', async (request, reply) => {
    const parameters = request.params as DownloadParameters;
    const grant = { rolloutId: parameters.rollout_id, deviceId: parameters.device_id };
    if (!isValidReleaseDownloadToken(services.masterKeys, grant, bearerToken(request))) throw tokenError();
    const sha256 = await findOfferedDigest(services, parameters);
    if (sha256 === null || !(await releases.has(sha256)))
      throw new ApiError('not_found', 'The release is not offered to this device');
    const { device_id: device } = parameters;
    if (activeDownloads >= MAX_CONCURRENT_DOWNLOADS || activeOf(device) >= MAX_CONCURRENT_DOWNLOADS_PER_DEVICE)
      throw new ApiError(
        'rate_limited',
        'Too many concurrent downloads. Try again later',
        {},
        { 'retry-after': RETRY_S },
      );
    return send(reply, releases.fileOf(sha256), request, device);
  });
};
