import { isMissing } from '@lintel/access-core/problem-texts';
import OAuth2Server from '@node-oauth/oauth2-server';
import { endSentence, truncateEcho } from '@lintel/wire-protocol/rest/base-api-error';
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

/** `The parameter 'code' is missing.` */
export const describeParameter = (name: string, problem: string): string =>
  endSentence(`The parameter '${name}' ${problem}`);

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A sentence from a text of the library or of the models, which begins with the kind of the error. Section 5.2 allows
 * neither quotes nor backslashes in a description.
 */
const toDescription = (message: string): string => {
  const text = message.replaceAll(/["\\`]/g, "'");
  const [, missing] = /^Missing parameter: '?([\w ]+)'?$/.exec(text) ?? [];
  if (missing !== undefined) return describeParameter(missing, isMissing);
  const [, invalid] = /^Invalid parameter: '?([\w ]+)'?$/.exec(text) ?? [];
  if (invalid !== undefined) return describeParameter(invalid, 'is not valid');
  return truncateEcho(endSentence(capitalize(text.replace(/^(?:Invalid|Unsupported|Unauthorized) [a-z ]+: /, ''))));
};

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
    return {
      error: 'server_error',
      description: 'The bridge has an internal error. Search its log for the request id.',
      cause: inner ?? thrown,
    };
  }
  return { error: thrown.name, description: toDescription(thrown.message) };
};
