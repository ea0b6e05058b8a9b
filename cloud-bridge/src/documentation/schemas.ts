import { errorResponse } from '@lintel/wire-protocol/rest/error';
import * as z from 'zod';
import type { EndpointDescription } from '../api/endpoint.ts';
import type { JsonSchema } from './json-schema.ts';

const SCHEMA_PREFIX = '#/components/schemas/';

/** The method and path of the endpoint as one identifier, such as `post_members_by_id_pins`. */
export const operationId = ({ method, path }: EndpointDescription): string => {
  const words = path.split('/').map(part => (part.startsWith(':') ? 'by_id' : part));
  return [method.toLowerCase(), ...words.filter(word => word !== '')].join('_');
};

const identifierKeywords = new Set(['$schema', '$id', 'id']);

const withoutIdentifiers = (schema: object): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !identifierKeywords.has(name)));

/** The input schema, in which fields with a default are optional. */
export const bodySchemaOf = (body: z.ZodType): JsonSchema => withoutIdentifiers(z.toJSONSchema(body, { io: 'input' }));

export interface SchemaComponents {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  responseOf(endpoint: EndpointDescription): JsonSchema;
}

/** The schemas of all objects by name, and of other responses by the id of their endpoint. */
export const schemaComponentsOf = (
  endpoints: readonly EndpointDescription[],
  objects: Readonly<Record<string, z.ZodType>>,
): SchemaComponents => {
  const registry = z.registry<{ id: string }>();
  for (const [name, response] of Object.entries(objects)) registry.add(response, { id: name });
  registry.add(errorResponse, { id: 'error' });
  for (const endpoint of endpoints) {
    if (registry.has(endpoint.response)) continue;
    const pageId = endpoint.isList === true && endpoint.object !== undefined ? `${endpoint.object}_page` : null;
    registry.add(endpoint.response, { id: pageId ?? `${operationId(endpoint)}_answer` });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: id => SCHEMA_PREFIX + id });
  const named = Object.entries(schemas) as Array<[string, Record<string, unknown>]>;
  return {
    schemas: Object.fromEntries(named.map(([name, schema]) => [name, withoutIdentifiers(schema)])),
    responseOf: ({ response }) => ({ $ref: SCHEMA_PREFIX + registry.get(response)!.id }),
  };
};
