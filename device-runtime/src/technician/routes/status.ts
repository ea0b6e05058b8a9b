import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianEvents } from '@lintel/wire-protocol/technician/tests';
import { streamLive } from '../http/live-stream.ts';
import type { Route } from '../http/route.ts';
import { statusOf } from '../health-report/status.ts';
import { asTechnicianEvent, supportBundleOf } from '../health-report/support-bundle.ts';
import { TechnicianError } from '../errors/technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const DEFAULT_EVENTS = 100;
const MOST_EVENTS = 1_000;
const MOST_ONLOOKERS = 8;

const limitOf = (query: unknown): number => {
  const { limit } = query as { readonly limit?: unknown };
  if (limit === undefined) return DEFAULT_EVENTS;
  const number = typeof limit === 'string' && /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (number >= 1 && number <= MOST_EVENTS) return number;
  throw new TechnicianError('invalid_request', `limit must be a number from 1 to ${MOST_EVENTS}`, { field: 'limit' });
};

const fileName = (parts: TechnicianParts): string =>
  `${parts.certificate.name}-${dateTimeOf(parts.wall.now()).slice(0, 10)}.json`;

export const statusRoutes = (parts: TechnicianParts): Route[] => {
  const { technician } = parts.controller;
  let onlookers = 0;
  return [
    { method: 'GET', path: '/status', handle: () => statusOf(parts) },
    {
      method: 'GET',
      path: '/events',
      handle: ({ request }): TechnicianEvents => ({
        data: technician.newestEvents(limitOf(request.query)).map(asTechnicianEvent),
      }),
    },
    {
      method: 'GET',
      path: '/support_bundle',
      handle: ({ reply }) => {
        reply.header('content-disposition', `attachment; filename="${fileName(parts)}"`);
        return supportBundleOf(parts);
      },
    },
    {
      method: 'GET',
      path: '/live',
      handle: ({ reply, token }) => {
        if (onlookers >= MOST_ONLOOKERS) {
          const args = { reason: 'too_many_onlookers' };
          throw new TechnicianError('conflict', 'Too many pages are looking at the same time', args);
        }
        onlookers++;
        reply.hijack();
        reply.raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string>),
          'content-type': 'text/event-stream; charset=utf-8',
        });
        streamLive(technician.live, reply.raw, {
          leftMs: () => parts.sessions.leftMs(token),
          onSessionEnd: tell => parts.sessions.onEnd(token, tell),
          ended: () => {
            onlookers--;
          },
        });
        return reply;
      },
    },
  ];
};
