import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { JsonSchema } from '@lintel/cloud-bridge/testing';
import { publicDocument } from './generate-client-api-types.ts';

/* The subset of the Postman collection format v2.1 that the file uses. Bruno imports it too. */

interface KeyValue {
  readonly key: string;
  readonly value: string;
  readonly type?: 'string' | 'boolean';
}

interface QueryParameter {
  readonly key: string;
  readonly value: string;
  readonly disabled: true;
}

interface PostmanUrl {
  readonly raw: string;
  readonly host: readonly string[];
  readonly path: readonly string[];
  readonly query?: readonly QueryParameter[];
  readonly variable?: readonly { readonly key: string; readonly value: string }[];
}

interface PostmanRequest {
  readonly method: string;
  readonly header: readonly KeyValue[];
  readonly url: PostmanUrl;
  readonly body?: { readonly mode: 'raw'; readonly raw: string; readonly options: object };
}

interface PostmanItem {
  readonly name: string;
  readonly request: PostmanRequest;
  readonly response: readonly object[];
}

interface PostmanFolder {
  readonly name: string;
  readonly description?: string | undefined;
  readonly item: readonly PostmanItem[];
}

interface PostmanCollection {
  readonly info: { readonly name: string; readonly description: string; readonly schema: string };
  readonly auth: { readonly type: 'oauth2'; readonly oauth2: readonly KeyValue[] };
  readonly variable: readonly KeyValue[];
  readonly item: readonly PostmanFolder[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: JsonSchema;
}

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const JSON_TYPE = 'application/json';
/** Filters are in the API reference. These are the parameters that almost every request uses. */
const shownParameters = ['limit', 'sort', 'cursor', 'expand'];
const jsonHeader: KeyValue = { key: 'Content-Type', value: JSON_TYPE };

const variables: readonly KeyValue[] = [
  { key: 'baseUrl', value: 'https://doors.example.com/v2' },
  { key: 'authUrl', value: 'https://doors.example.com' },
  { key: 'clientId', value: '' },
  { key: 'clientSecret', value: '' },
];

const oauth2: readonly KeyValue[] = [
  { key: 'grant_type', value: 'authorization_code_with_pkce' },
  { key: 'challengeAlgorithm', value: 'S256' },
  { key: 'authUrl', value: '{{authUrl}}/oauth2/auth' },
  { key: 'accessTokenUrl', value: '{{authUrl}}/oauth2/token' },
  { key: 'clientId', value: '{{clientId}}' },
  { key: 'clientSecret', value: '{{clientSecret}}' },
  { key: 'scope', value: 'full_read_write offline' },
  { key: 'client_authentication', value: 'header' },
  { key: 'addTokenTo', value: 'header' },
];

const defaultOf = ({ schema }: Parameter): string => {
  const value: unknown = schema?.default;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const toUrl = (path: string, parameters: readonly Parameter[]): PostmanUrl => {
  const segments = path
    .split('/')
    .slice(1)
    .map(segment => segment.replace(/^\{(.+)\}$/, ':$1'));
  const names = segments.filter(segment => segment.startsWith(':')).map(segment => segment.slice(1));
  const query = parameters
    .filter(parameter => parameter.in === 'query' && shownParameters.includes(parameter.name))
    .map((parameter): QueryParameter => ({ key: parameter.name, value: defaultOf(parameter), disabled: true }));
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length === 0 ? {} : { query }),
    ...(names.length === 0 ? {} : { variable: names.map(key => ({ key, value: `{{${key}}}` })) }),
  };
};

/** An id of the examples becomes the variable of its field, so that the request refers to an object of the user. */
const withVariables = (value: unknown, idNames: ReadonlySet<string>, field = ''): unknown => {
  if (Array.isArray(value)) return value.map(item => withVariables(item, idNames, field));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withVariables(inner, idNames, name)]),
    );
  const named = field.replace(/^(?:source|target)_/, '');
  return typeof value === 'string' && idNames.has(named) && named !== 'action_id' ? `{{${named}}}` : value;
};

const toRequest = (
  method: string,
  path: string,
  { parameters = [], requestBody }: Operation,
  idNames: ReadonlySet<string>,
): PostmanRequest => {
  const example = requestBody?.content[JSON_TYPE]?.example;
  return {
    method: method.toUpperCase(),
    header: requestBody === undefined ? [] : [jsonHeader],
    url: toUrl(path, parameters),
    ...(requestBody === undefined
      ? {}
      : {
          body: {
            mode: 'raw',
            raw: JSON.stringify(withVariables(example ?? {}, idNames), null, 2),
            options: { raw: { language: 'json' } },
          },
        }),
  };
};

/** Only for one object, because lists and changes return the same objects and would multiply the size of the file. */
const savedResponses = (method: string, path: string, { responses }: Operation): object[] => {
  const example = responses['200']?.content?.[JSON_TYPE]?.example;
  if (method !== 'get' || example === undefined || !/(\}|\/organization)$/.test(path)) return [];
  const body = JSON.stringify(example, null, 2);
  return [{ name: 'Example', status: 'OK', code: 200, _postman_previewlanguage: 'json', header: [jsonHeader], body }];
};

const toItem = (method: string, path: string, operation: Operation, idNames: ReadonlySet<string>): PostmanItem => ({
  name: operation.summary,
  request: toRequest(method, path, operation, idNames),
  response: savedResponses(method, path, operation),
});

/** The collection of the public API: one folder for each resource, ids as variables. */
export const postmanCollection = (): PostmanCollection => {
  const document = publicDocument();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
  const idNames = new Set(operations.flatMap(({ path }) => [...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name!)));
  return {
    info: {
      name: 'Lintel: Access Control Service API v2',
      description: 'Set baseUrl, authUrl, clientId and clientSecret, then request a token under Authorization.',
      schema: SCHEMA,
    },
    auth: { type: 'oauth2', oauth2: oauth2.map(pair => ({ ...pair, type: 'string' })) },
    variable: [...variables, ...[...idNames].map(key => ({ key, value: '' }))],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags[0] === name)
        .map(({ method, path, operation }) => toItem(method, path, operation, idNames)),
    })),
  };
};

export const formatPostmanCollection = (): string =>
  execFileSync('biome', ['format', '--stdin-file-path=docs/integrator/postman-collection.json'], {
    input: JSON.stringify(postmanCollection()),
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '../..'),
  });
