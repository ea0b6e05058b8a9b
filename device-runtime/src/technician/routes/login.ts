import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  type TechnicianChallenge,
  type TechnicianHello,
  technicianLoginRequestSchema,
  type TechnicianSession,
} from '@lintel/wire-protocol/technician/login';
import { parseTechnicianRequestBody } from '../http/http-errors.ts';
import type { PublicTechnicianRoute, TechnicianRoute } from '../http/route.ts';
import { formatSessionCookie, expiredSessionCookie } from '../login/session-token.ts';
import { TECHNICIAN_SESSION_IDLE_MS } from '../login/session-registry.ts';
import type { TechnicianContext } from '../technician-context.ts';

const openRoutes = (parts: TechnicianContext): PublicTechnicianRoute[] => [
  {
    isPublic: true,
    method: 'GET',
    path: '/hello',
    handle: (): TechnicianHello => ({
      product_id: parts.productId,
      name: parts.certificate.name,
      claimed: parts.owner() !== null || parts.controller.wasClaimed,
      firmware: parts.firmware,
      fingerprint: parts.certificate.fingerprint,
      device_id: parts.owner()?.device_id ?? null,
      bridge_url: parts.owner()?.bridge_url ?? null,
      login: parts.login.loginMethods,
    }),
  },
  {
    isPublic: true,
    method: 'POST',
    path: '/challenge',
    handle: ({ request }): TechnicianChallenge => parts.login.createChallenge(request.socket.remoteAddress),
  },
  {
    isPublic: true,
    method: 'POST',
    path: '/login',
    handle: ({ request, reply }): TechnicianSession => {
      const { token, session } = parts.login.login(
        parseTechnicianRequestBody(technicianLoginRequestSchema, request.body),
      );
      const { by, technician, lasts_ms } = session;
      parts.log('info', 'A technician logged in', {
        by,
        ...(technician.pass_id === null ? {} : { pass: technician.pass_id }),
      });
      reply.header('set-cookie', formatSessionCookie(token, lasts_ms));
      const expires_at = toDateTime(instant(parts.wall.now() + lasts_ms));
      return { token, by, user_id: technician.user_id, expires_at, idle_seconds: TECHNICIAN_SESSION_IDLE_MS / 1_000 };
    },
  },
];

const logout = ({ sessions }: TechnicianContext): TechnicianRoute => ({
  method: 'POST',
  path: '/logout',
  handle: ({ reply, token }) => {
    sessions.close(token);
    reply.header('set-cookie', expiredSessionCookie);
    return {};
  },
});

export const createLoginRoutes = (parts: TechnicianContext): (TechnicianRoute | PublicTechnicianRoute)[] => [
  ...openRoutes(parts),
  logout(parts),
];
