import { adminOnlyResponseSchemas } from '@lintel/wire-protocol/admin/response-schemas-by-object-name';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';

interface Document {
  readonly openapi: string;
  readonly servers: unknown;
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: string; parameters: { name: string }[] }>>>
  >;
  readonly components: { readonly schemas: object; readonly securitySchemes: object };
}

describe('administration API documentation', () => {
  let bridge: TestBridge;
  let document: Document;
  beforeAll(async () => {
    bridge = await TestBridge.open();
    document = (await bridge.app.inject({ url: '/admin/v1/openapi.json' })).json<Document>();
  });
  afterAll(() => bridge.close());

  it('is a separate OpenAPI document with the objects and paths of the administration', () => {
    expect([document.openapi, document.servers]).toEqual(['3.1.0', [{ url: 'http://bridge.test/admin/v1' }]]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([...Object.keys(adminOnlyResponseSchemas), 'error']),
    );
    expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'session']);
    for (const [path, methods] of [
      ['/session', ['get']],
      ['/organizations', ['get', 'post']],
      ['/organizations/{organization_id}', ['get', 'patch']],
      ['/organizations/{organization_id}/members/{member_id}/pins', ['get', 'post']],
      ['/organizations/{organization_id}/devices/{device_id}/input_rules', ['get', 'put']],
      ['/organizations/{organization_id}/devices/{device_id}/replace', ['post']],
      ['/organizations/{organization_id}/authorizations/{oauth_application_id}', ['delete']],
      ['/organizations/{organization_id}/releases', ['get', 'post']],
      ['/organizations/{organization_id}/release_uploads/{digest}', ['put']],
      ['/organizations/{organization_id}/rollouts', ['get', 'post']],
      ['/organizations/{organization_id}/rollouts/{rollout_id}', ['get']],
      ['/organizations/{organization_id}/rollouts/{rollout_id}/pause', ['post']],
    ] as const) {
      expect([path, Object.keys(document.paths[path] ?? {})]).toEqual([path, methods]);
    }
  });

  it('has unique operation ids, valid references, and the query parameters of lists', () => {
    const operations = Object.values(document.paths).flatMap(path => Object.values(path));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const known = new Set(Object.keys(document.components.schemas).map(name => `#/components/schemas/${name}`));
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    expect(references.filter(reference => !known.has(reference ?? ''))).toEqual([]);
    const tickets = document.paths['/organizations/{organization_id}/claim_tickets']?.['get'];
    expect(tickets?.operationId).toBe('listClaimTickets');
    expect(tickets?.parameters.map(({ name }) => name)).toEqual(['organization_id', 'limit', 'cursor', 'site_id']);
  });

  it('has the same errors as the public API for a wrong method and an unknown path', async () => {
    const wrong = await bridge.app.inject({ method: 'DELETE', url: '/admin/v1/organizations' });
    expect([wrong.statusCode, wrong.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
    const unknown = await bridge.app.inject({ url: '/admin/v1/nothing' });
    expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { type: 'not_found', args: {} }]);
  });
});
