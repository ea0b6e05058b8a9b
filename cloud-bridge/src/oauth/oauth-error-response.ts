import OAuth2Server from '@node-oauth/oauth2-server';

/** An error of RFC 6749: a code for programs and a description for developers. */
export interface OAuthErrorResponse {
  readonly error: string;
  readonly description: string;
  /** The cause of a server error, for the log only. */
  readonly cause?: unknown;
}

/** The library copies the message of any exception into `server_error`. It can contain SQL, so it is replaced here. */
export const toOAuthErrorResponse = (thrown: unknown): OAuthErrorResponse => {
  if (!(thrown instanceof OAuth2Server.OAuthError) || thrown.name === 'server_error') {
    const { inner } = thrown as { inner?: unknown };
    return { error: 'server_error', description: 'Internal error', cause: inner ?? thrown };
  }
  // Section 5.2 allows neither quotes nor backslashes in a description.
  return { error: thrown.name, description: thrown.message.replaceAll(/["\\`]/g, "'") };
};
