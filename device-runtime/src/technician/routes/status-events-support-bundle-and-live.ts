import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianEventsResponse } from '@lintel/wire-protocol/technician/hardware-tests';
import { streamLiveMessages } from '../http/live-stream.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { buildTechnicianStatus } from '../health-report/controller-status-for-technicians.ts';
import { toTechnicianEvent, buildSupportBundle } from '../health-report/support-bundle.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const DEFAULT_EVENTS = 100;
const MOST_EVENTS = 1_000;
const MOST_VIEWERS = 8;

const limitOf = (query: unknown): number => {
  const { limit } = query as { readonly limit?: unknown };
  if (limit === undefined) return DEFAULT_EVENTS;
  const number = typeof limit === 'string' && /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (number >= 1 && number <= MOST_EVENTS) return number;
  throw new TechnicianRequestError('invalid_request', `limit must be a number from 1 to ${MOST_EVENTS}`, {
    field: 'limit',
  });
};

const fileName = (parts: TechnicianApiDependencies): string =>
  `${parts.certificate.name}-${toDateTime(parts.wall.now()).slice(0, 10)}.json`;

export const createMonitoringRoutes = (parts: TechnicianApiDependencies): TechnicianRoute[] => {
  const { technician } = parts.controller;
  let viewers = 0;
  return [
    { method: 'GET', path: '/status', handle: () => buildTechnicianStatus(parts) },
    {
      method: 'GET',
      path: '/events',
      handle: ({ request }): TechnicianEventsResponse => ({
        data: technician.newestEvents(limitOf(request.query)).map(toTechnicianEvent),
      }),
    },
    {
      method: 'GET',
      path: '/support_bundle',
      handle: ({ reply }) => {
        reply.header('content-disposition', `attachment; filename="${fileName(parts)}"`);
        return buildSupportBundle(parts);
      },
    },
    {
      method: 'GET',
      path: '/live',
      handle: ({ reply, token }) => {
        if (viewers >= MOST_VIEWERS) {
          const args = { reason: 'too_many_onlookers' };
          throw new TechnicianRequestError('conflict', 'Too many live viewers', args);
        }
        viewers++;
        reply.hijack();
        reply.raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string>),
          'content-type': 'text/event-stream; charset=utf-8',
        });
        streamLiveMessages(technician.live, reply.raw, {
          remainingMs: () => parts.sessions.remainingMs(token),
          onSessionEnd: listener => parts.sessions.onEnd(token, listener),
          onEnd: () => {
            viewers--;
          },
        });
        return reply;
      },
    },
  ];
};
