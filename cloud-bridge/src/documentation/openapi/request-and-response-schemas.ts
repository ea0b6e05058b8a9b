import { errorResponseSchema } from '@lintel/wire-protocol/rest/api-error-types';
import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import { restResponseSchemas, revealedResponseSchemas } from '@lintel/wire-protocol/rest/response-schemas';
import * as z from 'zod';
import type { EndpointDescription } from '../../api/define-endpoint.ts';
import { SchemaComponents } from './schema-components.ts';
import {
  type JsonSchema,
  parseReferencedSchemaName,
  createSchemaReference,
  SCHEMA_REFERENCE_PREFIX,
} from './json-schema-type-and-references.ts';
import { buildOperationId, toSnakeCase } from './operation-id.ts';

/** The input schema, in which fields with a default are optional. */
export const createRequestBodySchema = (body: z.ZodType): JsonSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(body, { io: 'input' });
  return schema as JsonSchema;
};

/** The types of all objects that can be in a response to the endpoints, through expands too. */
const reachableTypes = (endpoints: readonly EndpointDescription[]): ReadonlySet<ResourceType> => {
  const types = new Set(endpoints.flatMap(({ object }) => object ?? []));
  // A set visits what is added during the iteration.
  for (const type of types)
    for (const { target } of Object.values(resourceDefinitions[type].expands)) types.add(target);
  return types;
};

const expandProperties = (type: ResourceType): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(resourceDefinitions[type].expands).map(([name, { kind, target }]) => {
      const description = `Only with expand=${name}`;
      if (kind === 'one') return [name, { ...createSchemaReference(target), description }];
      return [name, { type: 'array', items: createSchemaReference(target), description }];
    }),
  );

const withExpands = (schema: JsonSchema, type: ResourceType): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, ...expandProperties(type) },
});

const pageItemOf = ({ properties }: JsonSchema): string | undefined =>
  properties?.['has_next'] !== undefined && typeof properties['data']?.items === 'object'
    ? properties['data'].items.$ref
    : undefined;

/** All schemas of an API, and the references of each endpoint to them. */
export class ApiSchemas {
  readonly components = new SchemaComponents();
  readonly #responses = new Map<z.ZodType, JsonSchema>();
  readonly #bodies = new Map<EndpointDescription, JsonSchema>();

  /** Without the fields of expands, no schema contains itself. */
  constructor(
    endpoints: readonly EndpointDescription[],
    objects: Readonly<Record<string, z.ZodType>>,
    { hasExpands = true }: { readonly hasExpands?: boolean } = {},
  ) {
    const types = reachableTypes(endpoints);
    const expandable = Object.fromEntries([...types].map(type => [type, restResponseSchemas[type]]));
    const registry = z.registry<{ id: string }>();
    const responses = new Set(endpoints.map(({ response }) => response));
    const revealed = Object.entries(revealedResponseSchemas).filter(([, schema]) => responses.has(schema));
    const named: Readonly<Record<string, z.ZodType>> = {
      ...expandable,
      ...Object.fromEntries(revealed),
      ...Object.fromEntries(
        Object.entries(objects).filter(([name]) => !(name in resourceDefinitions) || name in expandable),
      ),
      error: errorResponseSchema,
    };
    for (const [name, schema] of Object.entries(named)) registry.add(schema, { id: name });
    const typeOf = new Map<z.ZodType, ResourceType>([...types].map(type => [restResponseSchemas[type], type]));
    for (const endpoint of endpoints) {
      const { object, response, isList } = endpoint;
      if (object !== undefined && isList !== true) typeOf.set(response, object);
      if (!registry.has(response))
        registry.add(response, { id: `${toSnakeCase(buildOperationId(endpoint))}_response` });
    }
    const summaries = new Map(endpoints.map(({ response, summary }) => [response, summary]));
    const { schemas } = z.toJSONSchema(registry, { uri: id => SCHEMA_REFERENCE_PREFIX + id });
    for (const schema of new Set([...Object.values(named), ...responses])) {
      const { id } = registry.get(schema)!;
      const json = schemas[id] as JsonSchema;
      const type = typeOf.get(schema);
      const item = pageItemOf(json);
      const name = item === undefined ? id : `${parseReferencedSchemaName(item)}_page`;
      const described = { description: `Response: ${summaries.get(schema) ?? id}`, ...json };
      this.#responses.set(
        schema,
        this.#add(name, type === undefined || !hasExpands ? described : withExpands(described, type)),
      );
    }
    for (const endpoint of endpoints) {
      if (endpoint.body === undefined) continue;
      const name = `${toSnakeCase(buildOperationId(endpoint))}_request`;
      const { description, ...json } = createRequestBodySchema(endpoint.body);
      const texts = [`Request: ${endpoint.summary}`, description ?? []].flat();
      this.#bodies.set(endpoint, this.#add(name, { ...json, description: texts.join('. ') }));
    }
  }

  #add(name: string, schema: JsonSchema): JsonSchema {
    const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
    return this.components.add(
      isEmpty ? 'empty' : name,
      isEmpty ? { ...schema, description: 'An empty object' } : schema,
    );
  }

  responseOf({ response }: EndpointDescription): JsonSchema {
    return this.#responses.get(response)!;
  }

  /** Undefined if the endpoint takes no JSON. */
  bodyOf(endpoint: EndpointDescription): JsonSchema | undefined {
    return this.#bodies.get(endpoint);
  }

  resolve({ $ref = '' }: JsonSchema): JsonSchema {
    return this.components.schemas[parseReferencedSchemaName($ref)]!;
  }
}
