import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Instant, instant } from '@lintel/access-core/instant';
import { type HostLookup, systemHostLookup } from '../http/webhook-address-guard.ts';
import { type Bridge, type BridgeOptions, createBridge } from '../main.ts';
import { insertApplication, insertOrganization, issueAccessToken } from './accounts.ts';
import { copySqliteTemplate, TEST_START_TIME } from './sqlite-template.ts';

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
  #base = TEST_START_TIME;
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

export interface InProcessBridgeOptions extends Partial<BridgeOptions> {
  readonly isTicking?: boolean;
}

/** A bridge in this process with a clock that the test controls. Default: on SQLite in a new folder. */
export class InProcessBridge {
  readonly bridge: Bridge;
  readonly dataDir: string;
  /** PostgreSQL URL; undefined with SQLite. */
  readonly database: string | undefined;
  readonly #clock: ManualClock;

  protected constructor(bridge: Bridge, dataDir: string, database: string | undefined, clock: ManualClock) {
    this.bridge = bridge;
    this.dataDir = dataDir;
    this.database = database;
    this.#clock = clock;
  }

  static async open(options: InProcessBridgeOptions = {}): Promise<InProcessBridge> {
    const { isTicking = false, database, ...rest } = options;
    const dataDir = rest.dataDir ?? mkdtempSync(join(tmpdir(), 'lintel-bridge-'));
    const clock = new ManualClock(isTicking);
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
    return new this(bridge, dataDir, database, clock);
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
  async newOrganization(scope?: string): Promise<TestOrganizationClient> {
    return this.newApplication(await insertOrganization(this.services), scope);
  }

  async newApplication(organizationId: string, scope = 'full_read_write'): Promise<TestOrganizationClient> {
    return this.client(organizationId, await insertApplication(this.services, organizationId), scope);
  }

  async client(organizationId: string, applicationId: string, scope: string): Promise<TestOrganizationClient> {
    const token = await issueAccessToken(this.services, { organizationId, applicationId, scope });
    return new TestOrganizationClient(this.bridge, organizationId, applicationId, token);
  }

  async close(): Promise<void> {
    await this.bridge.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** A client of the public API with the token of one application. Paths are relative to `/v2`. */
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
