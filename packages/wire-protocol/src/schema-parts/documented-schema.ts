import * as z from 'zod';

/** The parts of a JSON Schema that say what a value may be. */
export interface DocumentedSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, DocumentedSchema>>;
  readonly additionalProperties?: DocumentedSchema | boolean;
  readonly items?: DocumentedSchema;
  readonly anyOf?: readonly DocumentedSchema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const documented = new WeakMap<z.ZodType, DocumentedSchema>();

const documentOf = (schema: z.ZodType): DocumentedSchema => {
  const known = documented.get(schema);
  if (known !== undefined) return known;
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as DocumentedSchema;
  documented.set(schema, document);
  return document;
};

const alternativesOf = (schema: DocumentedSchema): DocumentedSchema[] => [
  schema,
  ...(schema.anyOf ?? []).flatMap(alternativesOf),
];

const childrenOf = (schema: DocumentedSchema, key: string): DocumentedSchema[] => {
  const { properties = {}, items, additionalProperties } = schema;
  if (items !== undefined && /^\d+$/.test(key)) return alternativesOf(items);
  if (Object.hasOwn(properties, key)) return alternativesOf(properties[key]!);
  return typeof additionalProperties === 'object' ? alternativesOf(additionalProperties) : [];
};

/** What the schema permits at a path, one entry for each alternative. Empty if nothing is permitted there. */
export const findDocumentedSchemas = (schema: z.ZodType, path: readonly PropertyKey[]): readonly DocumentedSchema[] => {
  let found = alternativesOf(documentOf(schema));
  for (const key of path) found = found.flatMap(one => childrenOf(one, String(key)));
  return found;
};
