import type { IncomingHttpHeaders } from 'node:http';

/** With this prefix a browser takes it from this host only, over TLS only, for all its paths. */
const COOKIE = '__Host-lintel_technician';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The token of a request, from its header or from the cookie; null when there is none that could be one. */
export const tokenOf = ({ authorization, cookie }: IncomingHttpHeaders): string | null => {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const kept = (cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .find(pair => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
  const token = authorization === undefined ? kept : bearer;
  return token !== undefined && TOKEN.test(token) ? token : null;
};

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict';

export const cookieOf = (token: string, lasts_ms: number): string =>
  `${COOKIE}=${token}; ${attributes}; Max-Age=${Math.floor(lasts_ms / 1_000)}`;

export const noCookie = `${COOKIE}=; ${attributes}; Max-Age=0`;
