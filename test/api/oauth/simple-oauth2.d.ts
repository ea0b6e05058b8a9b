/** The package has no types. These cover what the test uses. */
declare module 'simple-oauth2' {
  interface Token {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly token_type: string;
    readonly expires_at: Date;
  }

  interface AccessToken {
    readonly token: Token;
    refresh(): Promise<AccessToken>;
    revoke(type: 'access_token' | 'refresh_token'): Promise<void>;
  }

  interface Options {
    readonly client: { readonly id: string; readonly secret: string };
    readonly auth: Readonly<Record<'tokenHost' | 'tokenPath' | 'authorizePath' | 'revokePath', string>>;
    readonly options?: { readonly authorizationMethod?: 'header' | 'body' };
  }

  export class AuthorizationCode {
    constructor(options: Options);
    authorizeURL(parameters: { redirect_uri: string; scope: string; state: string }): string;
    getToken(parameters: { code: string; redirect_uri?: string }): Promise<AccessToken>;
  }
}
