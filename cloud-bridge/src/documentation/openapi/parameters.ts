import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import type { FilterSpec } from '@lintel/wire-protocol/rest/resource-filters';
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

const rangeOperators = { gt: 'after', ge: 'at or after', lt: 'before', le: 'at or before' } as const;

const filterParameters = ([name, filter]: [string, FilterSpec]): OpenApiParameter[] => {
  switch (filter.kind) {
    case 'text':
      return [query(name, `Only objects with this ${name}`)];
    case 'choice':
      return [query(name, `Only objects with this ${name}`, { type: 'string', enum: filter.values })];
    case 'deletion':
      return [
        query(name, 'Include deleted objects (any) or return only deleted ones (true). Default: false', {
          title: 'deletion_filter',
          type: 'string',
          enum: ['true', 'false', 'any'],
        }),
      ];
    case 'range':
      return Object.entries(rangeOperators).map(([operator, meaning]) =>
        query(`${name}:${operator}`, `Only objects ${meaning} this time`, { type: 'string', format: 'date-time' }),
      );
    case 'metadata':
      return [
        {
          ...query(name, 'Only objects with these metadata values: metadata[key]=value or metadata.key=value', {
            type: 'object',
            additionalProperties: { type: 'string' },
          }),
          style: 'deepObject',
          explode: true,
        },
        ...metadataKeys.map(key => query(`${name}.${key}`, `Only objects with this value of the metadata key ${key}`)),
      ];
    case 'search':
      return [
        query(
          name,
          'Only members with words that begin with each of these words: name, email, metadata value. Ignores case and accents',
        ),
      ];
    case 'group':
      return [query(name, 'Only members that are associated with this group')];
    case 'validity':
      return [query(name, 'Only objects that are valid at this time', { type: 'string', format: 'date-time' })];
    default:
      return [query(name, 'Only objects with this tag')];
  }
};

const listParameters = (type: ResourceType): OpenApiParameter[] => {
  const resource = resourceDefinitions[type];
  const { field, direction } = resource.defaultSort;
  const sorts = listSortableFieldNames(resource).flatMap(name => [`${name}:asc`, `${name}:desc`]);
  return [
    query('limit', 'Objects per page', { type: 'integer', minimum: 1, maximum: 100, default: 100 }),
    query('sort', 'Sort field and direction', {
      title: `${type}_sort`,
      type: 'string',
      enum: sorts,
      default: `${field}:${direction}`,
    }),
    query('cursor', 'cursor_next of the previous page; keep the other parameters unchanged'),
    ...(resource.searchable ? [query('q', 'Text to search for')] : []),
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

/** The schemas that several operations share become components. */
const withComponents = (parameter: OpenApiParameter, components: SchemaComponents): OpenApiParameter => ({
  ...parameter,
  schema: components.describe(parameter.schema, `${parameter.name.replaceAll(/[^a-zA-Z]/g, '_')}_parameter`),
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
