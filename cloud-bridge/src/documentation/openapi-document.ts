import { type ApiErrorType, apiErrorTypes } from '@lintel/wire-protocol/rest/api-error-types';
import type { EndpointDescription } from '../api/define-endpoint.ts';
import type { ApiDescription } from './public-api-description.ts';
import { createResponseExample } from './examples/object-and-response-examples.ts';
import { selectRequestExample } from './examples/select-request-example.ts';
import { createOpenApiEventMessages } from './openapi/event-messages.ts';
import { type JsonSchema, createSchemaReference } from './openapi/json-schema-type-and-references.ts';
import { buildOperationId } from './openapi/operation-id.ts';
import { type OpenApiParameter, createOpenApiParameters } from './openapi/parameters.ts';
import { ApiSchemas } from './openapi/request-and-response-schemas.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: object;
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly security: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string | undefined }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: object;
  readonly components: Readonly<Record<string, object>>;
}

const json = (schema: JsonSchema, example?: object) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

const errorsOf = ({
  method,
  path,
  body,
  acceptsBytes,
  editedFields,
  errors = [],
}: EndpointDescription): ApiErrorType[] => [
  'invalid_request',
  'unauthorized',
  'forbidden',
  ...(path.includes(':') ? (['not_found'] as const) : []),
  ...(method === 'GET' || (body === undefined && acceptsBytes !== true)
    ? []
    : (['payload_too_large', 'unsupported_media_type'] as const)),
  ...(method === 'GET' || editedFields === undefined ? [] : (['edit_conflict'] as const)),
  'rate_limited',
  'internal',
  'unavailable',
  ...(method === 'GET' ? [] : (['insufficient_storage'] as const)),
  ...errors,
];

/** One response per status, since several error types can share a status. */
const errorResponses = (endpoint: EndpointDescription): Record<string, object> => {
  const byStatus = Map.groupBy(new Set(errorsOf(endpoint)), type => String(apiErrorTypes[type]));
  return Object.fromEntries(
    [...byStatus].map(([status, types]) => [
      status,
      {
        description: types.join(' or '),
        ...(status === '429' || status === '503'
          ? {
              headers: {
                'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait before the next request' },
              },
            }
          : {}),
        ...(status === '401'
          ? {
              headers: {
                'WWW-Authenticate': { schema: { type: 'string' }, description: 'How to authenticate: Bearer' },
              },
            }
          : {}),
        content: json(createSchemaReference('error')),
      },
    ]),
  );
};

/** Everything that describes one API: its properties, schemas and examples. */
interface DocumentContext {
  readonly api: ApiDescription;
  readonly schemas: ApiSchemas;
}

const requestBodyOf = (endpoint: EndpointDescription, { api, schemas }: DocumentContext): object => {
  const schema = schemas.bodyOf(endpoint);
  if (schema === undefined) return endpoint.acceptsBytes === true ? { requestBody: { content: bytes } } : {};
  const example = selectRequestExample(buildOperationId(endpoint), schemas.resolve(schema), api.requestExamples);
  return { requestBody: { required: true, content: json(schema, example) } };
};

const operation = (endpoint: EndpointDescription, context: DocumentContext): Operation => {
  const { api, schemas } = context;
  const response = schemas.responseOf(endpoint);
  return {
    operationId: buildOperationId(endpoint),
    summary: endpoint.summary,
    description: `${endpoint.summary}. ${api.describeAccess(endpoint)}`,
    tags: [endpoint.tag],
    parameters: createOpenApiParameters(endpoint, schemas.components),
    ...requestBodyOf(endpoint, context),
    responses: {
      200: {
        description: 'Success',
        headers: {
          'X-Request-Id': { schema: { type: 'string' }, description: 'Id of this request in the log' },
          ...(endpoint.editedFields === undefined
            ? {}
            : { ETag: { schema: { type: 'string' }, description: 'Changes with each edit; for If-Match' } }),
        },
        content: json(response, createResponseExample(response, schemas.components.schemas)),
      },
      ...errorResponses(endpoint),
    },
  };
};

const pathsOf = (endpoints: readonly EndpointDescription[], context: DocumentContext): OpenApiDocument['paths'] => {
  const byPath = Map.groupBy(endpoints, ({ path }) => path.replaceAll(/:([a-z_]+)/g, '{$1}'));
  return Object.fromEntries(
    [...byPath].map(([path, endpointsOfPath]) => [
      path,
      Object.fromEntries(
        endpointsOfPath.map(endpoint => [endpoint.method.toLowerCase(), operation(endpoint, context)]),
      ),
    ]),
  );
};

/** The API as OpenAPI 3.1, generated from the endpoints that serve it. */
export const createOpenApiDocument = (
  api: ApiDescription,
  endpoints: readonly EndpointDescription[],
  publicUrl: string,
  options: { readonly hasExpands?: boolean } = {},
): OpenApiDocument => {
  const { title, version, description } = api;
  const schemas = new ApiSchemas(endpoints, api.objects, options);
  const schemes = api.securitySchemes(publicUrl);
  const paths = pathsOf(endpoints, { api, schemas });
  const webhooks = api.sendsEvents ? { webhooks: createOpenApiEventMessages(schemas.components) } : {};
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Operator of this bridge', url: `${publicUrl}${api.page}` },
    },
    servers: [{ url: `${publicUrl}${api.base}` }],
    security: Object.keys(schemes).map(name => ({ [name]: [] })),
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map(name => ({
      name,
      description: api.tagDescriptions[name],
    })),
    paths,
    ...webhooks,
    components: { schemas: schemas.components.schemas, securitySchemes: schemes },
  };
};
