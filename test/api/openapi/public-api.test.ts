import { restResponseSchemas } from '@lintel/wire-protocol/rest/response-schemas';
import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeclaredEndpoint, declaredApis } from '@lintel/cloud-bridge/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { TestBridge } from '../../support/bridge/test-bridge.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: ReadonlyArray<{ name: string; in: string; required?: boolean; schema: object }>;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly openapi: string;
  readonly servers: ReadonlyArray<{ url: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: object;
  readonly components: { readonly schemas: Readonly<Record<string, object>>; readonly securitySchemes: object };
}

describe('API documentation', () => {
  let bridge: TestBridge;
  let document: Document;
  beforeAll(async () => {
    bridge = await TestBridge.open();
    const answer = await bridge.app.inject({ url: '/v2/openapi.json' });
    document = answer.json<Document>();
  });
  afterAll(() => bridge.close());

  const { endpoints } = declaredApis.public;
  const operations = () => Object.values(document.paths).flatMap(path => Object.values(path));
  const nameOf = ({ path }: DeclaredEndpoint) => path.replaceAll(/:([a-z_]+)/g, '{$1}');

  it('is OpenAPI 3.1 with the API URL, and lists every endpoint once', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'http://bridge.test/v2' }]);
    for (const endpoint of endpoints) {
      expect(document.paths).toHaveProperty([nameOf(endpoint), endpoint.method.toLowerCase()]);
    }
    expect(operations()).toHaveLength(endpoints.length);
    expect(new Set(operations().map(({ operationId }) => operationId)).size).toBe(endpoints.length);
  });

  it('passes an independent validator', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('has only valid references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    expect(references.length).toBeGreaterThan(100);
    const known = new Set(Object.keys(document.components.schemas).map(name => `#/components/schemas/${name}`));
    expect(references.filter(reference => !known.has(reference ?? ''))).toEqual([]);
  });

  it('has no schema that contains itself without the fields of expands', async () => {
    const answer = await bridge.app.inject({ url: '/v2/openapi.json?expands=false' });
    const { schemas } = answer.json<Document>().components;
    const referencesIn = (schema: object): string[] =>
      [...JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!);
    const containedIn = (name: string, seen: ReadonlySet<string> = new Set()): ReadonlySet<string> =>
      referencesIn(schemas[name]!).reduce(
        (found, inner) => (found.has(inner) ? found : containedIn(inner, new Set([...found, inner]))),
        seen,
      );
    expect(Object.keys(schemas).filter(name => containedIn(name).has(name))).toEqual([]);
  });

  it('describes every object and every path parameter', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([...Object.keys(restResponseSchemas), 'error']),
    );
    for (const [path, methods] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters } of Object.values(methods)) {
        const declared = parameters.filter(parameter => parameter.in === 'path');
        expect(declared.map(({ name }) => name)).toEqual(inPath);
        expect(declared.every(({ required }) => required === true)).toBe(true);
        const keys = parameters.map(parameter => `${parameter.in} ${parameter.name}`);
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });

  it('lists the filters, sorts and expands of list endpoints', () => {
    const { parameters } = document.paths['/events']!['get']!;
    const names = parameters.map(({ name }) => name);
    for (const name of ['limit', 'sort', 'cursor', 'expand', 'verb', 'subject.member_id', 'created_at:gt']) {
      expect(names).toContain(name);
    }
    expect(document.components.schemas['event_sort']).toMatchObject({
      enum: expect.arrayContaining(['recorded_at:asc', 'created_at:desc']),
    });
    const members = document.paths['/members']!['get']!.parameters;
    expect(members.find(({ name }) => name === 'is_deleted')?.schema).toEqual({
      $ref: '#/components/schemas/deletion_filter',
    });
    expect(document.components.schemas['deletion_filter']).toMatchObject({ enum: ['true', 'false', 'any'] });
  });

  it('documents every error status of each endpoint', () => {
    for (const { responses } of operations()) {
      for (const status of ['200', '400', '401', '403', '429', '500']) expect(responses).toHaveProperty(status);
    }
    expect(document.paths['/gadgets/{gadget_id}/actions/{action_id}']!['post']!.responses).toHaveProperty('503');
  });

  it('describes only fields and expands of the resource table', () => {
    for (const [type, { fields, expands }] of Object.entries(resourceDefinitions)) {
      const { properties } = document.components.schemas[type] as { properties: object };
      const known = new Set([...Object.keys(fields), ...Object.keys(expands)]);
      const unknown = Object.keys(properties).filter(name => !known.has(name));
      expect({ type, unknown }).toEqual({ type, unknown: [] });
    }
  });

  it('names operations after what they do', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids).toEqual(
      expect.arrayContaining(['listMembers', 'createMemberPin', 'revealMemberPin', 'executeGadgetActionAsMember']),
    );
    expect(ids.filter(id => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
  });

  it('describes webhook deliveries and messages of the event stream', () => {
    expect(document.webhooks).toMatchObject({
      eventDelivery: {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: expect.stringMatching(/event$/) } } } },
        },
      },
      eventStreamMessage: { post: { operationId: 'receiveEventStreamMessage' } },
    });
  });
});
