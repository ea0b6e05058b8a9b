import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import {
  describeFilter,
  getFilterSchema,
  type FilterSpec,
  rangeOperators,
} from '@lintel/wire-protocol/rest/resource-filters';
import { type ResourceDefinition, resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import type { EndpointDescription } from '../../api/define-endpoint.ts';
import type { SchemaComponents } from './schema-components.ts';
import type { JsonSchema } from './json-schema-type-and-references.ts';

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly style?: 'deepObject';
  readonly explode?: boolean;
}

const query = (name: string, description: string, schema: JsonSchema = { type: 'string' }): OpenApiParameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const pathParameters = ({ path }: EndpointDescription): OpenApiParameter[] =>
  [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'action_id' ? 'Id of an action of the gadget' : `Id of the ${resourceNameOf(name)}`,
    schema: { type: 'string' },
  }));

const resourceNameOf = (idField: string): string => idField.replace(/_id$/, '').replaceAll('_', ' ');

export const listSortableFieldNames = ({ fields }: ResourceDefinition): string[] =>
  Object.keys(fields).filter(name => fields[name]?.sortable === true);

const expandParameter = ({ expands }: ResourceDefinition): OpenApiParameter[] => {
  const names = Object.keys(expands);
  if (names.length === 0) return [];
  const message = `References to expand into objects, separated by commas and nested with dots: ${names.join(', ')}. The response has at most 20,000 objects and 8 MiB`;
  return [query('expand', message)];
};

/** The keys that the specification names. Lists take any key. */
const metadataKeys = ['source', 'sourceID'];

const filterParameters = ([name, filter]: [string, FilterSpec]): OpenApiParameter[] => {
  const text = describeFilter(name, filter, 'objects');
  switch (filter.kind) {
    case 'deletion':
      return [
        query(name, text, {
          title: 'deletion_filter',
          type: 'string',
          enum: ['true', 'false', 'any'],
        }),
      ];
    case 'range':
      return Object.keys(rangeOperators)
        .map(operator => `${name}:${operator}`)
        .map(range => query(range, describeFilter(range, filter, 'objects'), getFilterSchema(filter)));
    case 'metadata':
      return [
        {
          ...query(name, text, {
            type: 'object',
            additionalProperties: { type: 'string' },
          }),
          style: 'deepObject',
          explode: true,
        },
        ...metadataKeys.map(key => query(`${name}.${key}`, `Only objects with this value of the metadata key ${key}`)),
      ];
    default:
      return [query(name, text, getFilterSchema(filter))];
  }
};

const listParameters = (type: ResourceType): OpenApiParameter[] => {
  const resource = resourceDefinitions[type];
  const { field, direction } = resource.defaultSort;
  const sorts = listSortableFieldNames(resource).flatMap(name => [`${name}:asc`, `${name}:desc`]);
  return [
    query('limit', 'Objects per page, 1 to 100. Default: 100', {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 100,
    }),
    query('sort', `Sort field and direction: ascending or descending. Default: ${field}:${direction}`, {
      title: `${type}_sort`,
      type: 'string',
      enum: sorts,
      default: `${field}:${direction}`,
    }),
    query(
      'cursor',
      'Value of cursor_next in the previous page. Keep the other parameters unchanged. Absent: the first page',
    ),
    ...(resource.searchable
      ? [query('q', 'Only objects whose name or email address contains this text. Ignores the case of ASCII letters')]
      : []),
    ...Object.entries(resource.filters).flatMap(filterParameters),
  ];
};

const idempotencyKey: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A retry with the same key and the same request within 24 hours returns the first response and has no further effect',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const ifMatch: OpenApiParameter = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of the object. The request fails with edit_conflict if the object has changed since then',
  schema: { type: 'string' },
};

const componentOf = ({ name, description, schema }: OpenApiParameter, components: SchemaComponents): JsonSchema => {
  const component = components.describe({ description, ...schema }, `${name.replaceAll(/[^a-zA-Z]/g, '_')}_parameter`);
  const { description: _, ...reference } = component;
  return reference;
};

/** The schemas that several operations share become components. */
const withComponents = (parameter: OpenApiParameter, components: SchemaComponents): OpenApiParameter => ({
  ...parameter,
  schema: componentOf(parameter, components),
});

export const createOpenApiParameters = (
  endpoint: EndpointDescription,
  components: SchemaComponents,
): OpenApiParameter[] => {
  const { object, isList, method, editedFields } = endpoint;
  return [
    ...pathParameters(endpoint),
    ...(object !== undefined && isList === true ? listParameters(object) : []),
    ...(object === undefined ? [] : expandParameter(resourceDefinitions[object])),
    ...Object.entries(endpoint.query ?? {}).map(([name, description]) => query(name, description)),
    ...(method === 'POST' ? [idempotencyKey] : []),
    ...(method === 'GET' || editedFields === undefined ? [] : [ifMatch]),
  ].map(parameter => withComponents(parameter, components));
};
