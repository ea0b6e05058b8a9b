import type { ResourceType } from '@lintel/wire-protocol/rest/resource-fields';
import type { FilterSpec } from '@lintel/wire-protocol/rest/resource-filters';
import { type Resource, resourceTable } from '@lintel/wire-protocol/rest/resource-table';
import type { EndpointDescription } from '../api/endpoint.ts';
import type { JsonSchema } from './json-schema.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly style?: 'form';
  readonly explode?: boolean;
}

const query = (name: string, description: string, schema: JsonSchema = { type: 'string' }): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const pathParameters = ({ path }: EndpointDescription): Parameter[] =>
  [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'action_id' ? 'One of the ids in the gadget’s actions' : `Id of the ${what(name)}`,
    schema: { type: 'string' },
  }));

const what = (idField: string): string => idField.replace(/_id$/, '').replaceAll('_', ' ');

export const sortNames = ({ fields }: Resource): string[] =>
  Object.keys(fields).filter(name => fields[name]?.sortable === true);

const expandParameter = ({ expands }: Resource): Parameter[] => {
  const names = Object.keys(expands);
  if (names.length === 0) return [];
  const message = `References to show as objects, separated by commas, nested with dots: ${names.join(', ')}`;
  return [query('expand', message)];
};

const rangeOperators = { gt: 'after', ge: 'at or after', lt: 'before', le: 'at or before' } as const;

const filterParameters = ([name, filter]: [string, FilterSpec]): Parameter[] => {
  switch (filter.kind) {
    case 'text':
      return [query(name, `Only with this ${name}`)];
    case 'choice':
      return [query(name, `Only with this ${name}`, { type: 'string', enum: filter.values })];
    case 'deletion':
      return [query(name, 'Deleted objects too, or only', { type: 'string', enum: ['true', 'false', 'any'] })];
    case 'range':
      return Object.entries(rangeOperators).map(([operator, meaning]) =>
        query(`${name}:${operator}`, `Only ${meaning} this time`, { type: 'string', format: 'date-time' }),
      );
    case 'metadata':
      return [
        {
          ...query('metadata', 'metadata.<key>=<value>: only with this value under this key', {
            type: 'object',
            propertyNames: { pattern: '^metadata\\..+$' },
            additionalProperties: { type: 'string' },
          }),
          style: 'form',
          explode: true,
        },
      ];
    default:
      return [query(name, 'Only with this tag')];
  }
};

const listParameters = (type: ResourceType): Parameter[] => {
  const resource = resourceTable[type];
  const { field, direction } = resource.defaultSort;
  const sorts = sortNames(resource).flatMap(name => [`${name}:asc`, `${name}:desc`]);
  return [
    query('limit', 'Objects on a page', { type: 'integer', minimum: 1, maximum: 100, default: 100 }),
    query('sort', 'Field and direction', { type: 'string', enum: sorts, default: `${field}:${direction}` }),
    query('cursor', 'cursor_next of the page before; the other parameters stay the same'),
    ...(resource.searchable ? [query('q', 'Text to search for')] : []),
    ...Object.entries(resource.filters).flatMap(filterParameters),
  ];
};

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A retry with the same key and the same request within 24 hours answers as the first did and does nothing again',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const parametersOf = (endpoint: EndpointDescription): Parameter[] => {
  const { object, isList, method } = endpoint;
  return [
    ...pathParameters(endpoint),
    ...(object !== undefined && isList === true ? listParameters(object) : []),
    ...(object === undefined ? [] : expandParameter(resourceTable[object])),
    ...Object.entries(endpoint.query ?? {}).map(([name, description]) => query(name, description)),
    ...(method === 'POST' ? [idempotencyKey] : []),
  ];
};
