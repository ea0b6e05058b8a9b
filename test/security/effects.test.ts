import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { type ApiRoute, apiRoutes, registeredRoutes } from './api-routes.ts';
import {
  type DeclaredEffect,
  endpointEffects,
  otherEffects,
  openResources,
  principalTables,
  revealedByMail,
  secretFields,
  tablesWithOtherSecrets,
  testsOfLimits,
} from './effects-table.ts';
import { send, urlOf } from './foreign-tenant-requests.ts';
import { bodiesFor } from './request-bodies.ts';
import { createTenant, type Tenant } from './tenant-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEEPS_OPEN = /\.hijack\(|fastify\/websocket'|\bcreateServer\(|acceptsBytes: true|return reply\.send\(bytes\)/;
const LIKE_A_SECRET = /hash|sealed|blind|digest_key|public_key|secret|^token/;

const declared = Object.values({ ...endpointEffects, ...otherEffects }).filter(
  (effect): effect is DeclaredEffect => effect !== null,
);

/** Names of fields with a secret, at any depth. */
const findSecretFields = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        ...(secretFields.has(key) && typeof inner === 'string' ? [key] : []),
        ...findSecretFields(inner),
      ]);

describe('what creates somebody who may act, or reveals a secret', () => {
  let bridge: TestBridge;
  let shared: Tenant;

  beforeAll(async () => {
    bridge = await TestBridge.open({ engine: 'sqlite' });
    await bridge.app.ready();
    shared = await createTenant(bridge, 'effects');
  });
  afterAll(() => bridge.close());

  const countPrincipals = async (): Promise<number[]> => {
    const counts = sql.join(principalTables.map(table => sql`(select count(*) from ${sql.table(table)})`));
    const { rows } = await sql<{ counts: string }>`select json_array(${counts}) as counts`.execute(
      bridge.services.storage.reader,
    );
    return JSON.parse(rows[0]!.counts) as number[];
  };

  const hasEffect = async (route: ApiRoute, tenant: Tenant): Promise<boolean> => {
    const headers = route.prefix === '/v2' ? { authorization: `Bearer ${tenant.client.token}` } : tenant.owner.headers;
    const before = await countPrincipals();
    const revealed: string[] = [];
    for (const { body } of bodiesFor(route.endpoint, route.prefix, tenant.ids)) {
      const { payload, statusCode } = await send(bridge, route, urlOf(route, tenant), headers, body);
      if (statusCode !== 200) continue;
      revealed.push(...findSecretFields(JSON.parse(payload)));
      // These secrets are known to nobody else, whatever the field is called.
      revealed.push(...tenant.secrets.filter(secret => payload.includes(secret)));
    }
    const after = await countPrincipals();
    return revealed.length > 0 || after.some((count, index) => count > before[index]!);
  };

  it('is declared for every route of the endpoint tables', async () => {
    const found: string[] = [];
    for (const route of apiRoutes.filter(({ endpoint }) => endpoint.method !== 'DELETE')) {
      const isListed = Object.hasOwn(endpointEffects, route.name);
      // An earlier request may have changed the shared tenant.
      if ((await hasEffect(route, shared)) || (isListed && (await hasEffect(route, await createTenant(bridge, 'own')))))
        found.push(route.name);
    }
    expect([...found, ...revealedByMail].toSorted()).toEqual(Object.keys(endpointEffects).toSorted());
  });

  it('requires the declared permission', () => {
    for (const { name, endpoint } of apiRoutes) {
      const effect = endpointEffects[name];
      if (effect !== undefined && endpoint.requiredPermission !== null)
        expect([name, effect.needs]).toEqual([name, endpoint.requiredPermission]);
    }
  });

  it('is declared for every other route that changes something', () => {
    const ofTables = new Set(apiRoutes.map(({ name }) => name));
    const others = registeredRoutes(bridge.app).filter(
      name => !name.startsWith('GET ') && !name.includes('/technician/v1/') && !ofTables.has(name),
    );
    expect(others.toSorted()).toEqual(Object.keys(otherEffects).toSorted());
  });

  it('has a quota and an end with a test', () => {
    const files = [...Object.values(testsOfLimits.quotas), ...Object.values(testsOfLimits.ends)];
    expect(files.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
    const used = { quotas: new Set(declared.map(({ quota }) => quota)), ends: new Set(declared.map(({ end }) => end)) };
    expect([...used.quotas].toSorted()).toEqual(Object.keys(testsOfLimits.quotas).toSorted());
    expect([...used.ends].toSorted()).toEqual(Object.keys(testsOfLimits.ends).toSorted());
  });

  it('knows every table with a secret', async () => {
    const { rows } = await sql<{ table: string; column: string }>`select m.name as "table", c.name as "column"
      from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`.execute(
      bridge.services.storage.reader,
    );
    const withSecrets = new Set(rows.filter(({ column }) => LIKE_A_SECRET.test(column)).map(({ table }) => table));
    const known = new Set([...principalTables, ...Object.keys(tablesWithOtherSecrets)]);
    expect([...withSecrets].filter(table => !known.has(table))).toEqual([]);
  });

  it('is not the only thing that needs a limit: what stays open is listed too', () => {
    const found = globSync(['cloud-bridge/src/**/*.ts', 'packages/broker/src/**/*.ts'], { cwd: ROOT }).filter(
      file => !/\.test|\/testing\//.test(file) && KEEPS_OPEN.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(found.toSorted()).toEqual(Object.keys(openResources));
  });
});
