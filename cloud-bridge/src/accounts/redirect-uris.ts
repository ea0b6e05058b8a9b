import { createInvalidFieldError } from '../http/api-error.ts';

/** Schemes that run code in the browser or read local files instead of calling an application. */
const dangerous = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'filesystem:',
  'view-source:',
]);

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)(.*)$/;

const withoutLoopbackPort = (uri: string): string | null => {
  const [, origin, rest] = LOOPBACK.exec(uri) ?? [];
  return origin === undefined || !URL.canParse(uri) ? null : `${origin}${rest}`;
};

/**
 * RFC 6749 3.1.2.3 demands an exact match. RFC 8252 7.3 excepts the port of loopback addresses, because a native
 * application listens on any free port.
 */
export const isRegisteredRedirectUri = (registered: readonly string[], uri: string): boolean => {
  if (registered.includes(uri)) return true;
  const anyPort = withoutLoopbackPort(uri);
  return anyPort !== null && registered.some(known => withoutLoopbackPort(known) === anyPort);
};

const VISIBLE = /^[\x21-\x7e]+$/;

/** RFC 6749 3.1.2: absolute and without a fragment. The URI is not normalized, since requests must match it exactly. */
export const requireValidRedirectUri = (uri: string, field: string): void => {
  if (!VISIBLE.test(uri) || !URL.canParse(uri)) throw createInvalidFieldError(field, 'must be an absolute URI');
  if (uri.includes('#')) throw createInvalidFieldError(field, 'must not have a fragment');
  const { protocol, username, password } = new URL(uri);
  if (dangerous.has(protocol)) throw createInvalidFieldError(field, `must not use the scheme ${protocol}`);
  if (username !== '' || password !== '')
    throw createInvalidFieldError(field, 'must not contain a user name or password');
};
