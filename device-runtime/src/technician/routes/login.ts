import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  type TechnicianChallengeResponse,
  type TechnicianHelloResponse,
  technicianLoginRequestSchema,
  type TechnicianSessionResponse,
} from '@lintel/wire-protocol/technician/login';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import type { PublicTechnicianRoute, TechnicianRoute } from '../http/technician-route-definition.ts';
import { formatSessionCookie, expiredSessionCookie } from '../login/session-cookie-and-bearer-token.ts';
import { TECHNICIAN_SESSION_IDLE_MS } from '../login/session-registry.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const openRoutes = (parts: TechnicianApiDependencies): PublicTechnicianRoute[] => [
  {
    isPublic: true,
    method: 'GET',
    path: '/hello',
    handle: (): TechnicianHelloResponse => ({
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
    handle: ({ request }): TechnicianChallengeResponse => parts.login.createChallenge(request.socket.remoteAddress),
  },
  {
    isPublic: true,
    method: 'POST',
    path: '/login',
    handle: ({ request, reply }): TechnicianSessionResponse => {
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

const logout = ({ sessions }: TechnicianApiDependencies): TechnicianRoute => ({
  method: 'POST',
  path: '/logout',
  handle: ({ reply, token }) => {
    sessions.close(token);
    reply.header('set-cookie', expiredSessionCookie);
    return {};
  },
});

export const createLoginRoutes = (parts: TechnicianApiDependencies): (TechnicianRoute | PublicTechnicianRoute)[] => [
  ...openRoutes(parts),
  logout(parts),
];
