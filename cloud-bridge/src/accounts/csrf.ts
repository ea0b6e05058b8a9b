import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/**
 * Proves that a form was rendered by this bridge. The token is derived from a secret in the browser's HttpOnly cookie, so
 * it needs no storage and expires with the session.
 */
export const deriveCsrfToken = (secret: string): string =>
  createHmac('sha256', secret).update('lintel form token').digest('base64url');

const isCsrfToken = (secret: string, csrfToken: string): boolean => {
  const [expected, actual] = [Buffer.from(deriveCsrfToken(secret)), Buffer.from(csrfToken)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Also accepts the `Host` of the request, for bridges that are reached under another name than their public URL. */
export const isCrossOriginRequest = ({ headers: { origin, host } }: FastifyRequest, publicUrl: string): boolean => {
  if (origin === undefined) return false;
  return origin !== originOf(publicUrl) && origin !== `http://${host}` && origin !== `https://${host}`;
};

/** Why the request must be rejected; null if it comes from a page of this bridge. */
export const findCsrfViolation = (
  request: FastifyRequest,
  publicUrl: string,
  secret: string | null,
  csrfToken: string | undefined,
): string | null => {
  if (isCrossOriginRequest(request, publicUrl)) return 'foreign_origin';
  if (secret === null || csrfToken === undefined || !isCsrfToken(secret, csrfToken)) return 'form_token';
  return null;
};
