import type { JsonSchema } from './json-schema.ts';

const examplesByFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-06-01T12:00:00.000Z',
  email: 'ann@example.com',
  uri: 'https://example.com/hook',
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
};

const examplesByName: Readonly<Record<string, string>> = {
  name: 'Ann',
  email: 'ann@example.com',
  url: 'https://example.com/hook',
  uid: '04a1b2c3d4e5f6',
  language: 'en',
  pin: '2580',
  code: '*1',
  action_id: 'open',
  color: '#2f6f4f',
};

const ID_PATTERN = /^\^([a-z]+_)\[/;

const textExample = (schema: JsonSchema, name: string): string => {
  const prefix = ID_PATTERN.exec(schema.pattern ?? '')?.[1];
  if (prefix !== undefined) return `${prefix}01JZ3Q7K9W`;
  return examplesByFormat[schema.format ?? ''] ?? examplesByName[name] ?? 'text';
};

const resolve = (schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  const referred = schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1) ?? ''];
  const resolved = referred ?? schema;
  const choice = resolved.anyOf?.find(option => option.type !== 'null');
  return choice === undefined ? resolved : resolve(choice, schemas);
};

const MAX_ITEMS = 7;

/** An example value that is valid for the schema. */
export const exampleOf = (given: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>, name = ''): unknown => {
  const schema = resolve(given, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const type = [schema.type].flat().find(name => name !== 'null') ?? (schema.properties === undefined ? '' : 'object');
  switch (type) {
    case 'string':
      return textExample(schema, name);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1) > (schema.maximum ?? 1)
        ? schema.minimum
        : Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'array': {
      const count = Math.min(Math.max(schema.minItems ?? 1, 1), MAX_ITEMS);
      const item = typeof schema.items === 'object' ? exampleOf(schema.items, schemas, name) : null;
      return Array.from({ length: count }, () => item);
    }
    case 'object':
      return name === 'metadata' ? { source: 'pms' } : objectExample(schema, schemas);
    default:
      return null;
  }
};

const objectExample = (schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): object =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, exampleOf(property, schemas, name)]),
  );
