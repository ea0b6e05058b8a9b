import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Instant, instant } from '@lintel/access-core/instant';
import { issueOAuthTokens } from '../../../cloud-bridge/src/accounts/issue-oauth-tokens.ts';
import { type HostLookup, systemHostLookup } from '../../../cloud-bridge/src/http/webhook-address-guard.ts';
import { copySqliteTemplate } from '../../../cloud-bridge/src/storage/sqlite-template.test-support.ts';
import { type Bridge, type BridgeOptions, createBridge } from '@lintel/cloud-bridge/main';
import { newTestDatabase } from './postgres.ts';

/** The fields that most response bodies share. Tests check other fields with `expect`. */
export interface ApiBody extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly data: readonly ApiBody[];
  readonly has_next: boolean;
  readonly cursor_next: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: ApiBody;
}

/** Knows only localhost, so that no test depends on a DNS server. */
const lookUpLocalhost: HostLookup = (hostname, options, callback) => {
  if (hostname === 'localhost') return systemHostLookup(hostname, options, callback);
  process.nextTick(callback, new Error(`getaddrinfo ENOTFOUND ${hostname}`), []);
};

/** A clock that a test sets. With `isTicking` it also advances in real time, for tests with real firmware. */
class ManualClock {
  #base = instant(Date.parse('2026-06-01T10:00:00Z'));
  #since: number | null;

  constructor(isTicking: boolean) {
    this.#since = isTicking ? performance.now() : null;
  }

  get now(): Instant {
    return this.#since === null ? this.#base : instant(Math.floor(this.#base + performance.now() - this.#since));
  }

  set now(at: Instant) {
    this.#base = at;
    if (this.#since !== null) this.#since = performance.now();
  }
}

export type TestDatabaseEngine = 'sqlite' | 'postgres';

export interface TestBridgeOptions extends Partial<BridgeOptions> {
  readonly engine?: TestDatabaseEngine;
  readonly isTicking?: boolean;
}

/** A bridge in this process with a clock that the test controls. */
export class TestBridge {
  readonly bridge: Bridge;
  readonly dataDir: string;
  /** PostgreSQL URL; undefined with SQLite. */
  readonly database: string | undefined;
  readonly #clock: ManualClock;

  private constructor(bridge: Bridge, dataDir: string, database: string | undefined, clock: ManualClock) {
    this.bridge = bridge;
    this.dataDir = dataDir;
    this.database = database;
    this.#clock = clock;
  }

  static async open(options: TestBridgeOptions = {}): Promise<TestBridge> {
    const { engine = 'sqlite', isTicking = false, ...rest } = options;
    const dataDir = rest.dataDir ?? mkdtempSync(join(tmpdir(), 'lintel-bridge-'));
    const clock = new ManualClock(isTicking);
    const database = rest.database ?? (engine === 'postgres' ? await newTestDatabase() : undefined);
    if (database === undefined && rest.dataDir === undefined) await copySqliteTemplate(dataDir);
    const bridge = await createBridge({
      publicUrl: 'http://bridge.test',
      logger: false,
      rateLimit: { perSecond: 1e9, burst: 1e9 },
      autoDeletionMs: null,
      webhookHostLookup: lookUpLocalhost,
      clock: () => clock.now,
      ...rest,
      database,
      dataDir,
    });
    return new TestBridge(bridge, dataDir, database, clock);
  }

  get app(): Bridge['app'] {
    return this.bridge.app;
  }

  get services(): Bridge['services'] {
    return this.bridge.services;
  }

  get devices(): Bridge['devices'] {
    return this.bridge.devices;
  }

  listen(host: string, port: number): Promise<string> {
    return this.bridge.listen(host, port);
  }

  get now(): Instant {
    return this.#clock.now;
  }

  set now(at: Instant) {
    this.#clock.now = at;
  }

  advanceSeconds(seconds: number): void {
    this.now = instant(this.now + seconds * 1000);
  }

  /** Creates an organization with an authorized application. The client has an access token of that application. */
  async newOrganization(scope = 'full_read_write'): Promise<TestOrganizationClient> {
    const { storage, newId, masterKeys } = this.bridge.services;
    const organizationId = newId('organization');
    await storage.writer
      .insertInto('organizations')
      .values({
        id: organizationId,
        name: 'Test',
        is_deleted: 0,
        created_at: this.now,
        metadata: '{}',
        whitelabel: 1,
        revision: 0,
        last_recorded_at: 0,
        key_version: masterKeys.currentVersion,
      })
      .execute();
    return this.newApplication(organizationId, scope);
  }

  async newApplication(organizationId: string, scope = 'full_read_write'): Promise<TestOrganizationClient> {
    const { storage, newId } = this.bridge.services;
    const applicationId = newId('oauth_application');
    await storage.writer
      .insertInto('oauth_applications')
      .values({
        id: applicationId,
        organization_id: organizationId,
        client_id: randomUUID(),
        client_secret_hash: null,
        name: 'Test application',
        redirect_uris: '[]',
        is_public: 0,
        is_deleted: 0,
        created_at: this.now,
      })
      .execute();
    return this.client(organizationId, applicationId, scope);
  }

  async client(organizationId: string, applicationId: string, scope: string): Promise<TestOrganizationClient> {
    const grant = { organizationId, applicationId, userId: null, scope, familyId: randomUUID() };
    const { access_token } = await issueOAuthTokens(this.bridge.services.storage.writer, grant, this.now);
    return new TestOrganizationClient(this.bridge, organizationId, applicationId, access_token);
  }

  async close(): Promise<void> {
    await this.bridge.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export class TestOrganizationClient {
  readonly #bridge: Bridge;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly token: string;

  constructor(bridge: Bridge, organizationId: string, applicationId: string, token: string) {
    this.#bridge = bridge;
    this.organizationId = organizationId;
    this.applicationId = applicationId;
    this.token = token;
  }

  async call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<ApiResponse> {
    const response = await this.#bridge.app.inject({
      method,
      url: `/v2${path}`,
      headers: { authorization: `Bearer ${this.token}` },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json<ApiBody>() };
  }

  get(path: string): Promise<ApiResponse> {
    return this.call('GET', path);
  }

  /** Throws unless the response is 200. */
  async callOk(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<ApiBody> {
    const { status, body: responseBody } = await this.call(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(responseBody)}`);
    return responseBody;
  }
}
