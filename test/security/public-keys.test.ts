import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { phoneEnrollmentRequestSchema } from '@lintel/wire-protocol/guest/guest-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { apiRoutes } from './api-routes.ts';
import { send, urlOf } from './foreign-tenant-requests.ts';
import { bodiesFor } from './request-bodies.ts';
import { createTenant } from './tenant-fixture.ts';

const ROOT = `${join(import.meta.dirname, '../..')}/`;
const ADMIN = '/admin/v1/organizations/:organization_id';

const takesPublicKey = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined &&
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('"public_key"');

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

describe('public keys from outside', () => {
  let bridge: TestBridge;
  beforeAll(async () => {
    bridge = await TestBridge.open();
    await bridge.app.ready();
  });
  afterAll(() => bridge.close());

  it('are checked by one function, before they are stored or certified', () => {
    const users = globSync('{cloud-bridge,gateway,device-runtime,packages/*}/src/**/*.ts', { cwd: ROOT }).filter(
      file => !file.includes('.test') && /\bisCanonicalPublicKey\(/.test(readFileSync(`${ROOT}${file}`, 'utf8')),
    );
    expect(users.toSorted()).toEqual([
      // Technicians: passes.
      'cloud-bridge/src/admin/endpoints/technician-passes.ts',
      // Phones and tokens of members.
      'cloud-bridge/src/resources/member-tokens.ts',
      // Controllers and gateways: certificate requests of claims and renewals.
      'cloud-bridge/src/tls/certificate-authority.ts',
    ]);
  });

  it('enter through these requests, which reject other points and encodings', async () => {
    const tenant = await createTenant(bridge, 'keys');
    const routes = apiRoutes.filter(({ endpoint }) => takesPublicKey(endpoint.body));
    expect(routes.map(({ name }) => name)).toEqual([`POST ${ADMIN}/technician_passes`]);
    expect(takesPublicKey(phoneEnrollmentRequestSchema)).toBe(true);
    for (const route of routes)
      for (const { body } of bodiesFor(route.endpoint, route.prefix, tenant.ids)) {
        const key = Buffer.from((body as { public_key: string }).public_key, 'base64url');
        const notOnCurve = Buffer.from(key);
        notOnCurve[64]! ^= 1;
        const keys = [encode(notOnCurve), encode(Buffer.alloc(65)), encode(Buffer.concat([key, Buffer.of(0)]))];
        for (const public_key of keys) {
          const answer = await send(bridge, route, urlOf(route, tenant), tenant.owner.headers, { ...body, public_key });
          expect([answer.statusCode, answer.payload.includes('public_key')]).toEqual([400, true]);
        }
      }
  });
});
