import { type ErrorType, errorTypes } from '@lintel/wire-protocol/rest/error';
import type { EndpointDescription } from '../api/endpoint.ts';
import type { ApiDescription } from './api-description.ts';
import type { JsonSchema } from './json-schema.ts';
import { type OpenApiParameter, openApiParametersOf } from './parameters.ts';
import { bodySchemaOf, type SchemaComponents, schemaComponentsOf, operationId } from './schemas.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly security: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  readonly tags: ReadonlyArray<{ readonly name: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, object>>;
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

const errorsOf = ({ method, path, body, acceptsBytes, errors = [] }: EndpointDescription): ErrorType[] => [
  'invalid_request',
  'unauthorized',
  'forbidden',
  ...(path.includes(':') ? (['not_found'] as const) : []),
  ...(method === 'GET' || (body === undefined && acceptsBytes !== true)
    ? []
    : (['payload_too_large', 'unsupported_media_type'] as const)),
  'rate_limited',
  'internal',
  ...errors,
];

/** One response per status, since several error types can share a status. */
const errorResponses = (endpoint: EndpointDescription): Record<string, object> => {
  const byStatus = Map.groupBy(new Set(errorsOf(endpoint)), type => String(errorTypes[type]));
  return Object.fromEntries(
    [...byStatus].map(([status, types]) => [
      status,
      {
        description: types.join(' or '),
        ...(status === '429' ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {}),
        ...(status === '401' ? { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } } : {}),
        content: json({ $ref: '#/components/schemas/error' }),
      },
    ]),
  );
};

const operation = (endpoint: EndpointDescription, components: SchemaComponents): Operation => ({
  operationId: operationId(endpoint),
  summary: endpoint.summary,
  tags: [endpoint.tag],
  parameters: openApiParametersOf(endpoint),
  ...(endpoint.body === undefined ? {} : { requestBody: { content: json(bodySchemaOf(endpoint.body)) } }),
  ...(endpoint.acceptsBytes === true ? { requestBody: { content: bytes } } : {}),
  responses: {
    200: {
      description: 'Success',
      headers: { 'X-Request-Id': { schema: { type: 'string' }, description: 'Id of this request in the log' } },
      content: json(components.responseOf(endpoint)),
    },
    ...errorResponses(endpoint),
  },
});

const pathsOf = (endpoints: readonly EndpointDescription[], components: SchemaComponents): OpenApiDocument['paths'] => {
  const byPath = Map.groupBy(endpoints, ({ path }) => path.replaceAll(/:([a-z_]+)/g, '{$1}'));
  return Object.fromEntries(
    [...byPath].map(([path, endpointsOfPath]) => [
      path,
      Object.fromEntries(
        endpointsOfPath.map(endpoint => [endpoint.method.toLowerCase(), operation(endpoint, components)]),
      ),
    ]),
  );
};

/** The API as OpenAPI 3.1, generated from the endpoints that serve it. */
export const openApiDocument = (
  { title, version, description, base, objects, securitySchemes }: ApiDescription,
  endpoints: readonly EndpointDescription[],
  publicUrl: string,
): OpenApiDocument => {
  const components = schemaComponentsOf(endpoints, objects);
  const schemes = securitySchemes(publicUrl);
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: `${publicUrl}${base}` }],
    security: Object.keys(schemes).map(name => ({ [name]: [] })),
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map(name => ({ name })),
    paths: pathsOf(endpoints, components),
    components: { schemas: components.schemas, securitySchemes: schemes },
  };
};
