import { invalidFieldError } from '../http/api-error.ts';

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

const VISIBLE = /^[\x21-\x7e]+$/;

/** RFC 6749 3.1.2: absolute and without a fragment. The URI is not normalized, since requests must match it exactly. */
export const checkRedirectUri = (uri: string, field: string): void => {
  if (!VISIBLE.test(uri) || !URL.canParse(uri)) throw invalidFieldError(field, `${field} must be an absolute URI`);
  if (uri.includes('#')) throw invalidFieldError(field, `${field} must not have a fragment`);
  const { protocol, username, password } = new URL(uri);
  if (dangerous.has(protocol)) throw invalidFieldError(field, `${field} must not use the scheme ${protocol}`);
  if (username !== '' || password !== '')
    throw invalidFieldError(field, `${field} must not contain a user name or password`);
};
