import { invalid } from '../http/api-error.ts';

/** Schemes that run something in the browser or read from the machine instead of calling an application. */
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

/** RFC 6749 3.1.2: absolute and without a fragment. Kept as written: requests are compared with it character by character. */
export const checkRedirectUri = (uri: string, field: string): void => {
  if (!VISIBLE.test(uri) || !URL.canParse(uri)) throw invalid(field, `${field} must be an absolute address`);
  if (uri.includes('#')) throw invalid(field, `${field} must have no fragment`);
  const { protocol, username, password } = new URL(uri);
  if (dangerous.has(protocol)) throw invalid(field, `${field} must not have the scheme ${protocol}`);
  if (username !== '' || password !== '') throw invalid(field, `${field} must have no user name in it`);
};
