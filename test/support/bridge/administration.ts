import { randomUUID } from 'node:crypto';
import { formToken } from '@lintel/cloud-bridge/accounts/form-token';
import { openSession } from '@lintel/cloud-bridge/accounts/sessions';
import type { Role } from '@lintel/wire-protocol/admin/role';
import type { Answer, Body, BridgeWorld } from './bridge-world.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Somebody who administers, signed in or with a token. Paths are those below the organization. */
export class AdminClient {
  readonly #world: BridgeWorld;
  readonly organizationId: string;
  readonly userId: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(world: BridgeWorld, organizationId: string, userId: string, headers: Readonly<Record<string, string>>) {
    this.#world = world;
    this.organizationId = organizationId;
    this.userId = userId;
    this.headers = headers;
  }

  /** With an address of its own, from the root of the administration. */
  async ask(method: Method, path: string, body?: object, headers = this.headers): Promise<Answer> {
    const answer = await this.#world.bridge.app.inject({
      method,
      url: `/admin/v1${path}`,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json<Body>() };
  }

  call(method: Method, path: string, body?: object): Promise<Answer> {
    return this.ask(method, `/organizations/${this.organizationId}${path}`, body);
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  /** A call that must succeed. */
  async done(method: Method, path: string, body?: object): Promise<Body> {
    const answer = await this.call(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

/** Signed in without a password, which takes its time. */
export const signedIn = async (
  world: BridgeWorld,
  organizationId: string,
  role: Role | null,
  siteIds: readonly string[] = [],
): Promise<AdminClient> => {
  const { storage, newId } = world.bridge.services;
  const userId = newId('user');
  await storage.writer
    .insertInto('users')
    .values({
      id: userId,
      email: `${userId}@example.test`,
      name: role ?? 'nobody',
      password_hash: '',
      is_deleted: 0,
      created_at: world.now,
    })
    .execute();
  if (role !== null) {
    const row = { organization_id: organizationId, user_id: userId, role, site_ids: JSON.stringify(siteIds) };
    await storage.writer.insertInto('organization_users').values(row).execute();
  }
  const token = await openSession(storage.writer, userId, world.now);
  const headers = { cookie: `lintel_session=${token}`, 'x-csrf-token': formToken(token) };
  return new AdminClient(world, organizationId, userId, headers);
};

/** With a bearer token, as the command line has. */
export const withToken = async (world: BridgeWorld, organizationId: string, scope: string): Promise<AdminClient> => {
  const { token, applicationId } = await world.newApplication(organizationId, scope);
  return new AdminClient(world, organizationId, applicationId, { authorization: `Bearer ${token}` });
};

export const freshEmail = (): string => `${randomUUID()}@example.test`;
