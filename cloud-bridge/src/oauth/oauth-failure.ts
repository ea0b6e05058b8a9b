import OAuth2Server from '@node-oauth/oauth2-server';

/** An error in RFC 6749 form: the code that programs read and a sentence for their developers. */
export interface OAuthFailure {
  readonly error: string;
  readonly description: string;
  /** What went wrong on our side: for the log alone. */
  readonly cause?: unknown;
}

/** The library puts the message of any exception into `server_error`: that may be SQL, and stays here. */
export const oauthFailure = (thrown: unknown): OAuthFailure => {
  if (!(thrown instanceof OAuth2Server.OAuthError) || thrown.name === 'server_error') {
    const { inner } = thrown as { inner?: unknown };
    return { error: 'server_error', description: 'Something went wrong here', cause: inner ?? thrown };
  }
  // Section 5.2 allows neither quotes nor backslashes in a description.
  return { error: thrown.name, description: thrown.message.replaceAll(/["\\`]/g, "'") };
};
