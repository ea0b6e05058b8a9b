import OAuth2Server from '@node-oauth/oauth2-server';
import { truncateEcho } from '@lintel/wire-protocol/rest/base-api-error';
import { toOutageError } from '../http/error-handling.ts';

/** An error of RFC 6749: a code for programs and a description for developers. */
export interface OAuthErrorResponse {
  readonly error: string;
  readonly description: string;
  /** The cause of a server error, for the log only. */
  readonly cause?: unknown;
  /** Default: the status of `error`. */
  readonly status?: number;
  /** For the Retry-After header. */
  readonly retryAfterSeconds?: number;
}

/** The library copies the message of any exception into `server_error`. It can contain SQL, so it is replaced here. */
export const toOAuthErrorResponse = (thrown: unknown): OAuthErrorResponse => {
  if (!(thrown instanceof OAuth2Server.OAuthError) || thrown.name === 'server_error') {
    const { inner } = thrown as { inner?: unknown };
    const outage = toOutageError(inner ?? thrown);
    if (outage !== null) {
      const retryAfterSeconds = Number(outage.headers['retry-after']);
      return {
        error: 'temporarily_unavailable',
        description: outage.message,
        status: outage.status,
        retryAfterSeconds,
      };
    }
    return { error: 'server_error', description: 'Internal error', cause: inner ?? thrown };
  }
  // Section 5.2 allows neither quotes nor backslashes in a description.
  return { error: thrown.name, description: truncateEcho(thrown.message.replaceAll(/["\\`]/g, "'")) };
};
