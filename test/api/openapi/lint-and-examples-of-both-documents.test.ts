import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeclaredEndpoint, declaredApis } from '@lintel/cloud-bridge/testing';
import { TestBridge } from '../../support/bridge/test-bridge.ts';

type Json = Readonly<Record<string, unknown>>;

/** Every value of the document with the names that lead to it. */
const walk = (value: unknown, path: readonly string[] = []): Array<{ path: readonly string[]; value: Json }> => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, child]) => walk(child, [...path, name]));
  return Array.isArray(value) ? inner : [{ path, value: value as Json }, ...inner];
};

const isExample = (path: readonly string[]): boolean => path.includes('example');

describe.each(Object.values(declaredApis))('OpenAPI document of $base', api => {
  let bridge: TestBridge;
  let text: string;
  let parts: ReturnType<typeof walk>;
  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: 'https://doors.lintel.test' });
    text = (await bridge.app.inject({ url: `${api.base}/openapi.json` })).payload;
    parts = walk(JSON.parse(text)).filter(({ path }) => !isExample(path));
  });
  afterAll(() => bridge.close());

  it('passes Redocly without a warning', { tags: ['slow'] }, async () => {
    const { createConfig, lintFromString } = await import('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('passes Spectral without a warning', { tags: ['slow'] }, async () => {
    const { default: spectral } = await import('@stoplight/spectral-core');
    const { default: rulesets } = await import('@stoplight/spectral-rulesets');
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: [rulesets.oas], rules: {} } as unknown as Parameters<typeof linter.setRuleset>[0]);
    const problems = await linter.run(JSON.parse(text) as Json);
    expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`)).toEqual([]);
  });

  it('has one component for each object and each list of values', () => {
    const isComponent = (path: readonly string[]): boolean => path.length === 3 && path[1] === 'schemas';
    const anonymous = parts.filter(
      ({ path, value }) =>
        !isComponent(path) &&
        (Array.isArray(value['enum']) ||
          (value['type'] === 'object' && Object.keys(value['properties'] ?? {}).length > 0)),
    );
    expect(anonymous.map(({ path }) => path.join('.'))).toEqual([]);
  });

  it('describes every schema, property and parameter', () => {
    const isDescribed = (path: readonly string[]): boolean => {
      const [parent, grandparent] = [path.at(-2), path.at(-3)];
      if (path.length === 3 && path[1] === 'schemas') return true;
      return (
        (parent === 'properties' && grandparent !== 'properties') || parent === 'parameters' || parent === 'headers'
      );
    };
    const missing = parts.filter(
      ({ path, value: { description } }) =>
        isDescribed(path) && (typeof description !== 'string' || description.trim() === ''),
    );
    expect(missing.map(({ path }) => path.join('.'))).toEqual([]);
  });

  it('uses anyOf with null only for components', () => {
    const wrong = parts.filter(({ value: { anyOf } }) => {
      if (!Array.isArray(anyOf)) return false;
      const options = anyOf as Json[];
      return options.some(({ type }) => type === 'null') && options.every(option => option['$ref'] === undefined);
    });
    expect(wrong.map(({ path }) => path.join('.'))).toEqual([]);
  });

  it('has an example of every body that the endpoint accepts, and no example for anything else', () => {
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Json>> };
    const operationOf = ({ path, method }: DeclaredEndpoint): Json =>
      paths[path.replaceAll(/:([a-z_]+)/g, '{$1}')]![method.toLowerCase()]!;
    const refused = api.endpoints.flatMap(endpoint => {
      if (endpoint.body === undefined) return [];
      const { requestBody, operationId } = operationOf(endpoint);
      const { content } = requestBody as { content: Record<string, { example: object }> };
      const parsed = endpoint.body.safeParse(content['application/json']!.example);
      return parsed.success ? [] : [`${String(operationId)}: ${parsed.error.message}`];
    });
    expect(refused).toEqual([]);
    const known = new Set(api.endpoints.map(endpoint => operationOf(endpoint)['operationId']));
    expect(Object.keys(api.requestExamples).filter(id => !known.has(id))).toEqual([]);
  });

  it('has an example of every response, without deleted objects', () => {
    const document = JSON.parse(text) as { paths: Record<string, Record<string, { responses: Json }>> };
    const without = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        JSON.stringify(responses['200']).includes('"example":') ? [] : [`${method} ${path}`],
      ),
    );
    expect(without).toEqual([]);
    expect(text).not.toContain('"is_deleted":true');
  });
});
