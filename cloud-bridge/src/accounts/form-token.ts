import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/**
 * The token that a form carries to prove that one of our own pages made it. It is derived from a secret that only this
 * browser's HttpOnly cookie holds, so nothing has to be stored, and it dies with the session.
 */
export const formToken = (secret: string): string =>
  createHmac('sha256', secret).update('lintel form token').digest('base64url');

const isFormToken = (secret: string, given: string): boolean => {
  const [expected, actual] = [Buffer.from(formToken(secret)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Browsers say where a form was sent from. `Host` is the fallback for whoever reaches the bridge under another name. */
export const isForeignOrigin = ({ headers: { origin, host } }: FastifyRequest, publicUrl: string): boolean => {
  if (origin === undefined) return false;
  return origin !== originOf(publicUrl) && origin !== `http://${host}` && origin !== `https://${host}`;
};

/** Why the form is not taken; null when it is ours. */
export const formProblem = (
  request: FastifyRequest,
  publicUrl: string,
  secret: string | null,
  given: string | undefined,
): string | null => {
  if (isForeignOrigin(request, publicUrl)) return 'foreign_origin';
  if (secret === null || given === undefined || !isFormToken(secret, given)) return 'form_token';
  return null;
};
