import { createRequire } from 'node:module';
import { type JsonSchema, referencedName } from '../openapi/json-schema.ts';

const require = createRequire(import.meta.url);

const folders = ['rest', 'admin'];

const goldenFile = (name: string): unknown => {
  for (const folder of folders) {
    try {
      return require(`@lintel/wire-protocol/golden/${folder}/${name.replaceAll('_', '-')}.json`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(`The object ${name} has no golden file, which the documentation shows as its example`);
};

/** The object in its golden file, which the tests of the schemas check. */
export const objectExample = (name: string): Readonly<Record<string, unknown>> =>
  goldenFile(name) as Readonly<Record<string, unknown>>;

/** An example of a response: an object, a list of one object, or nothing. */
export const responseExample = (
  { $ref = '' }: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, unknown>> => {
  const name = referencedName($ref);
  const { properties = {} } = schemas[name] ?? {};
  if (Object.keys(properties).length === 0) return {};
  const items = properties['data']?.items;
  if (typeof items !== 'object' || items.$ref === undefined) return objectExample(name);
  const data = [objectExample(referencedName(items.$ref))];
  return properties['has_next'] === undefined ? { data } : { data, has_next: false };
};
