import { instant } from '@lintel/access-core/instant';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { type TechnicianHello, technicianLogin, type TechnicianSession } from '@lintel/wire-protocol/technician/login';
import { bodyAs } from '../http/http-errors.ts';
import type { OpenRoute, Route } from '../http/route.ts';
import { cookieOf, noCookie } from '../login/session-token.ts';
import { IDLE_MS } from '../login/sessions.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const openRoutes = (parts: TechnicianParts): OpenRoute[] => [
  {
    isOpen: true,
    method: 'GET',
    path: '/hello',
    handle: (): TechnicianHello => ({
      product_id: parts.productId,
      name: parts.certificate.name,
      claimed: parts.owner() !== null,
      firmware: parts.firmware,
      fingerprint: parts.certificate.fingerprint,
      login: parts.login.ways,
    }),
  },
  {
    isOpen: true,
    method: 'POST',
    path: '/login',
    handle: ({ request, reply }): TechnicianSession => {
      const { token, session } = parts.login.enter(bodyAs(technicianLogin, request.body));
      const { by, technician, lasts_ms } = session;
      parts.log('info', 'a technician has logged in', {
        by,
        ...(technician.pass_id === null ? {} : { pass: technician.pass_id }),
      });
      reply.header('set-cookie', cookieOf(token, lasts_ms));
      const expires_at = dateTimeOf(instant(parts.wall.now() + lasts_ms));
      return { token, by, user_id: technician.user_id, expires_at, idle_seconds: IDLE_MS / 1_000 };
    },
  },
];

const logout = ({ sessions }: TechnicianParts): Route => ({
  method: 'POST',
  path: '/logout',
  handle: ({ reply, token }) => {
    sessions.close(token);
    reply.header('set-cookie', noCookie);
    return {};
  },
});

export const accountRoutes = (parts: TechnicianParts): (Route | OpenRoute)[] => [...openRoutes(parts), logout(parts)];
