import { randomUUID } from 'node:crypto';
import { deriveCsrfToken } from '../../../cloud-bridge/src/accounts/csrf.ts';
import { openUserSession } from '../../../cloud-bridge/src/accounts/user-sessions.ts';
import type { Role } from '@lintel/wire-protocol/admin/role';
import type { ApiResponse, ApiBody, TestBridge } from './test-bridge.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A client of the administration API with a session or a token. Paths are relative to the organization. */
export class AdminClient {
  readonly #bridge: Pick<TestBridge, 'app'>;
  readonly organizationId: string;
  readonly userId: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    bridge: Pick<TestBridge, 'app'>,
    organizationId: string,
    userId: string,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#bridge = bridge;
    this.organizationId = organizationId;
    this.userId = userId;
    this.headers = headers;
  }

  /** The path is relative to `/admin/v1`. */
  async callRoot(method: Method, path: string, body?: object, headers = this.headers): Promise<ApiResponse> {
    const response = await this.#bridge.app.inject({
      method,
      url: `/admin/v1${path}`,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json<ApiBody>() };
  }

  call(method: Method, path: string, body?: object): Promise<ApiResponse> {
    return this.callRoot(method, `/organizations/${this.organizationId}${path}`, body);
  }

  get(path: string): Promise<ApiResponse> {
    return this.call('GET', path);
  }

  /** Throws unless the response is 200. */
  async callOk(method: Method, path: string, body?: object): Promise<ApiBody> {
    const { status, body: responseBody } = await this.call(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(responseBody)}`);
    return responseBody;
  }
}

/** Creates a user with a session, without the cost of hashing a password. */
export const openAdminSession = async (
  bridge: Pick<TestBridge, 'app' | 'services' | 'now'>,
  organizationId: string,
  role: Role | null,
  siteIds: readonly string[] = [],
): Promise<AdminClient> => {
  const { storage, newId } = bridge.services;
  const userId = newId('user');
  await storage.writer
    .insertInto('users')
    .values({
      id: userId,
      email: `${userId}@example.test`,
      name: role ?? 'nobody',
      password_hash: '',
      is_deleted: 0,
      created_at: bridge.now,
      verified_at: bridge.now,
    })
    .execute();
  if (role !== null) {
    const row = { organization_id: organizationId, user_id: userId, role, site_ids: JSON.stringify(siteIds) };
    await storage.writer.insertInto('organization_users').values(row).execute();
  }
  const token = await openUserSession(storage.writer, userId, bridge.now);
  const headers = { cookie: `lintel_session=${token}`, 'x-csrf-token': deriveCsrfToken(token) };
  return new AdminClient(bridge, organizationId, userId, headers);
};

/** Creates an application and authenticates with its access token, as the command line does. */
export const adminWithToken = async (
  bridge: TestBridge,
  organizationId: string,
  scope: string,
): Promise<AdminClient> => {
  const { token, applicationId } = await bridge.newApplication(organizationId, scope);
  return new AdminClient(bridge, organizationId, applicationId, { authorization: `Bearer ${token}` });
};

export const uniqueEmail = (): string => `${randomUUID()}@example.test`;
