/** Provides the access token of each request. */
export interface TokenSource {
  accessToken(): Promise<string>;
  /** Called when the bridge has rejected the token. Resolves to another one, or rejects. */
  refresh(rejected: string): Promise<string>;
}

/** A response of the token endpoint. */
export interface OAuthTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

interface OAuthOptions {
  /** `{auth_url}/oauth2/token` */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly tokens: OAuthTokens;
  /** Stores the new tokens. The next request waits for it, because the old refresh token may no longer work. */
  readonly onTokens: (tokens: OAuthTokens) => Promise<void> | void;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

/** Refreshes this long before the token expires. */
const MARGIN_MS = 60_000;

/** Tokens of the authorization code flow, refreshed before they expire. Concurrent requests share one refresh. */
export class OAuthTokenSource implements TokenSource {
  readonly #options: OAuthOptions;
  #tokens: OAuthTokens;
  #expiresAt: number;
  #refreshing: Promise<string> | null = null;

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#tokens = options.tokens;
    this.#expiresAt = this.#now() + options.tokens.expires_in * 1000;
  }

  async accessToken(): Promise<string> {
    const { access_token } = this.#tokens;
    return this.#now() < this.#expiresAt - MARGIN_MS ? access_token : this.refresh(access_token);
  }

  async refresh(rejected: string): Promise<string> {
    if (rejected !== this.#tokens.access_token) return this.#tokens.access_token;
    this.#refreshing ??= this.#exchange().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  async #exchange(): Promise<string> {
    const { tokenUrl, clientId, clientSecret, onTokens, fetch: send = fetch } = this.#options;
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: this.#tokens.refresh_token,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    });
    const response = await send(tokenUrl, { method: 'POST', body: form });
    if (!response.ok)
      throw new Error(`The access token cannot be refreshed (${response.status}). Connect the application again`);
    const tokens = (await response.json()) as OAuthTokens;
    await onTokens(tokens);
    this.#tokens = tokens;
    this.#expiresAt = this.#now() + tokens.expires_in * 1000;
    return tokens.access_token;
  }
}

/** A token that cannot be refreshed. */
export const createFixedTokenSource = (token: string): TokenSource => ({
  accessToken: async () => token,
  refresh: async () => {
    throw new Error('The access token has expired or been revoked');
  },
});
