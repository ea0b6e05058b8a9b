import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type JsonSchema, parseReferencedSchemaName } from '../openapi/json-schema-type-and-references.ts';

/** In an installed package. */
const packagedExamples = join(import.meta.dirname, '../api-examples');

const findExamples = (): string => {
  if (existsSync(packagedExamples)) return packagedExamples;
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve('@lintel/wire-protocol/golden/rest/event.json')), '..');
};

const examples = findExamples();
const folders = ['rest', 'admin'];

const goldenFile = (name: string): unknown => {
  for (const folder of folders) {
    const file = join(examples, folder, `${name.replaceAll('_', '-')}.json`);
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  }
  return undefined;
};

type Example = Readonly<Record<string, unknown>>;

/** The object in its golden file, which the tests of the schemas check. */
export const readObjectExample = (name: string): Example => (goldenFile(name) ?? {}) as Example;

/** An example of a response: an object, a list of one object, or an empty object. */
export const createResponseExample = (
  { $ref = '' }: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): Example | undefined => {
  const name = parseReferencedSchemaName($ref);
  const { properties = {} } = schemas[name] ?? {};
  if (Object.keys(properties).length === 0) return {};
  const items = properties['data']?.items;
  if (typeof items !== 'object' || items.$ref === undefined) return goldenFile(name) as Example | undefined;
  const data = [readObjectExample(parseReferencedSchemaName(items.$ref))];
  return properties['has_next'] === undefined ? { data } : { data, has_next: false };
};
