import type { IncomingHttpHeaders } from 'node:http';
import { BASE64URL_32_BYTES } from '@lintel/wire-protocol/encoding/base64url';

/** The prefix restricts the cookie to this host, TLS and all paths. */
const COOKIE = '__Host-lintel_technician';

/** The token from the header or the cookie; null when absent or malformed. */
export const readSessionToken = ({ authorization, cookie }: IncomingHttpHeaders): string | null => {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const kept = (cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .find(pair => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
  const token = authorization === undefined ? kept : bearer;
  return token !== undefined && BASE64URL_32_BYTES.test(token) ? token : null;
};

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict';

export const formatSessionCookie = (token: string, lasts_ms: number): string =>
  `${COOKIE}=${token}; ${attributes}; Max-Age=${Math.floor(lasts_ms / 1_000)}`;

export const expiredSessionCookie = `${COOKIE}=; ${attributes}; Max-Age=0`;
