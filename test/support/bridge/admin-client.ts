import { randomUUID } from 'node:crypto';
import { addUserToOrganization, insertUser, issueScriptTokens, signIn } from '@lintel/cloud-bridge/testing';
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
  bridge: Pick<TestBridge, 'app' | 'services'>,
  organizationId: string,
  role: Role | null,
  siteIds: readonly string[] = [],
): Promise<AdminClient> => {
  const { services } = bridge;
  const userId = await insertUser(services, { name: role ?? 'nobody' });
  if (role !== null) await addUserToOrganization(services, organizationId, userId, role, siteIds);
  return new AdminClient(bridge, organizationId, userId, await signIn(services, userId));
};

/** A change that only the admin API offers, by a new owner of the organization. Throws unless the response is 200. */
export const callAsOwner = async (
  bridge: Pick<TestBridge, 'app' | 'services'>,
  { organizationId }: { readonly organizationId: string },
  method: Method,
  path: string,
  body?: object,
): Promise<ApiBody> => (await openAdminSession(bridge, organizationId, 'owner')).callOk(method, path, body);

/** Creates an application and authenticates with its access token. */
export const adminWithToken = async (
  bridge: TestBridge,
  organizationId: string,
  scope: string,
): Promise<AdminClient> => {
  const { token, applicationId } = await bridge.newApplication(organizationId, scope);
  return new AdminClient(bridge, organizationId, applicationId, { authorization: `Bearer ${token}` });
};

/** A script token of the operator, as `lintel token` issues them. */
export const adminWithScriptToken = async (
  { app, services }: Pick<TestBridge, 'app' | 'services'>,
  organizationId: string,
  scope = 'full_read_write',
): Promise<AdminClient> => {
  const { access_token } = await issueScriptTokens(services, { organizationId, scope });
  return new AdminClient({ app }, organizationId, '', { authorization: `Bearer ${access_token}` });
};

export const uniqueEmail = (): string => `${randomUUID()}@example.test`;
