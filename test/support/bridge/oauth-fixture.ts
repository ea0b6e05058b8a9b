import { createHash, randomBytes } from 'node:crypto';
import {
  addUserToOrganization,
  createApplication,
  insertUser,
  type NewOAuthApplication,
  TEST_PASSWORD,
} from '@lintel/cloud-bridge/testing';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { describePerDatabase } from './describe-on-both-databases.ts';
import { TestBridge, type TestBridgeOptions } from './test-bridge.ts';
import { RecordingLogger } from '../processes/recording-logger.ts';
import { FormBrowser } from './form-browser.ts';

export const PASSWORD = TEST_PASSWORD;

export const REDIRECT_URI = 'https://pms.example/callback';

export interface TestApplication {
  readonly id: string;
  readonly clientId: string;
  readonly secret: string;
}

/** An organization with one user and one OAuth application. */
export interface OAuthTenant {
  readonly organizationId: string;
  readonly email: string;
  readonly userId: string;
  readonly application: TestApplication;
}

export interface TokenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, string>>;
}

/** A test bridge with a recorded log, and the steps of the OAuth authorization code flow. */
export class OAuthFixture {
  readonly bridge: TestBridge;
  readonly log: RecordingLogger;
  #count = 0;

  private constructor(bridge: TestBridge, log: RecordingLogger) {
    this.bridge = bridge;
    this.log = log;
  }

  static async open(options: TestBridgeOptions = {}): Promise<OAuthFixture> {
    const log = new RecordingLogger();
    return new OAuthFixture(await TestBridge.open({ ...options, logger: log }), log);
  }

  close(): Promise<void> {
    return this.bridge.close();
  }

  browser(ip?: string): FormBrowser {
    return new FormBrowser(this.bridge.app, ip);
  }

  async newUser(organizationId: string, role: Role): Promise<{ email: string; userId: string }> {
    const { services } = this.bridge;
    const email = `person${++this.#count}@example.test`;
    const userId = await insertUser(services, { email });
    await addUserToOrganization(services, organizationId, userId, role);
    return { email, userId };
  }

  async newApplication(organizationId: string, more: Partial<NewOAuthApplication> = {}): Promise<TestApplication> {
    const settings = { organizationId, name: 'Booking', redirectUris: [REDIRECT_URI], ...more };
    const { application, clientSecret } = await createApplication(this.bridge.services, settings);
    return { id: application.id, clientId: application.client_id, secret: clientSecret ?? '' };
  }

  async newTenant(more: Partial<NewOAuthApplication> = {}, role: Role = 'owner'): Promise<OAuthTenant> {
    const { organizationId } = await this.bridge.newOrganization();
    return {
      organizationId,
      ...(await this.newUser(organizationId, role)),
      application: await this.newApplication(organizationId, more),
    };
  }

  authUrl(application: TestApplication, more: Record<string, string> = {}): string {
    const parameters = {
      client_id: application.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'full_read_write offline',
      state: 'st4te',
      ...more,
    };
    const given = Object.entries(parameters).filter(([, value]) => value !== '');
    return `/oauth2/auth?${new URLSearchParams(given).toString()}`;
  }

  /** Logs in, consents, and returns the parameters of the redirect to the application. */
  async authorize(tenant: OAuthTenant, more: Record<string, string> = {}): Promise<URLSearchParams> {
    const browser = this.browser();
    await browser.logIn(tenant.email, PASSWORD);
    const consent = await browser.get(this.authUrl(tenant.application, more));
    const { location } = await browser.submit(consent, { decision: 'allow' });
    return new URL(location ?? '').searchParams;
  }

  async code(tenant: OAuthTenant, more: Record<string, string> = {}): Promise<string> {
    return (await this.authorize(tenant, more)).get('code') ?? '';
  }

  async post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<TokenResponse> {
    const answer = await this.bridge.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }

  /** Sends exactly the four fields of the specification. */
  exchange({ application }: OAuthTenant, code: string, more: Record<string, string> = {}): Promise<TokenResponse> {
    return this.post('/oauth2/token', {
      grant_type: 'authorization_code',
      client_id: application.clientId,
      client_secret: application.secret,
      code,
      ...more,
    });
  }

  refresh(
    { application }: OAuthTenant,
    refresh_token: string,
    more: Record<string, string> = {},
  ): Promise<TokenResponse> {
    return this.post('/oauth2/token', {
      grant_type: 'refresh_token',
      client_id: application.clientId,
      client_secret: application.secret,
      refresh_token,
      ...more,
    });
  }

  async tokens(tenant: OAuthTenant, more: Record<string, string> = {}): Promise<TokenResponse['body']> {
    return (await this.exchange(tenant, await this.code(tenant, more))).body;
  }

  /** The status of an API request with this token. */
  async statusFor(token: string | undefined, path = '/members'): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await this.bridge.app.inject({ url: `/v2${path}`, headers })).statusCode;
  }
}

export const pkcePair = (): { verifier: string; challenge: string } => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** Runs a suite on SQLite and on a real PostgreSQL. */
export const describeOAuthOnBothDatabases = (name: string, suite: (oauth: () => OAuthFixture) => void): void =>
  describePerDatabase(name, engine => OAuthFixture.open({ engine }), suite);
