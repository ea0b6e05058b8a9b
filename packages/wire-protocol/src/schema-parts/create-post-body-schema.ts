import * as z from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The alternatives of a schema: itself, or the members of its `anyOf`. */
const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] => (schema['anyOf'] as JsonSchema[]) ?? [schema];

const hasType = ({ type }: JsonSchema, name: string): boolean => [type].flat().includes(name);

/** Times are not texts: an empty end must not become an unlimited one. */
const isText = (schema: JsonSchema): boolean => hasType(schema, 'string') && schema['format'] !== 'date-time';

const documentNull = ({ default: initial, description, ...schema }: JsonSchema): JsonSchema => ({
  ...(alternativesOf(schema).some(one => hasType(one, 'null'))
    ? schema
    : { anyOf: [...alternativesOf(schema), { type: 'null' }] }),
  ...(initial === undefined ? {} : { default: initial }),
  ...(description === undefined ? {} : { description }),
});

const optionalField = (field: z.ZodType): z.ZodType => {
  const omitted = field.safeParse(undefined);
  if (!omitted.success) return field;
  const { $schema: _, ...documented } = z.toJSONSchema(field, { io: 'input' }) as JsonSchema;
  const acceptsEmptyText = alternativesOf(documented).some(isText);
  const judged = z
    .unknown()
    .check(payload => {
      const { value } = payload;
      const isOmitted = value === null || (value === '' && acceptsEmptyText);
      const parsed = isOmitted ? field.safeParse(undefined) : field.safeParse(value);
      if (parsed.success) payload.value = parsed.data;
      else
        payload.issues.push(
          ...(parsed.error.issues.map(issue => ({ ...issue, input: value })) as typeof payload.issues),
        );
    })
    .meta(documentNull(documented));
  return omitted.data === undefined ? judged.optional() : judged.default(() => structuredClone(omitted.data));
};

/**
 * The body of a POST. In an optional field, null equals leaving the field out, and so does an empty text where the field
 * is a text. Fields that are required, and values of other types, are validated as declared.
 */
export const createPostBodySchema = <S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> =>
  z
    .strictObject(
      Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, optionalField(field as z.ZodType)])),
    )
    .describe(
      'In an optional field, null equals leaving it out, and so does an empty text where the field is a text',
    ) as unknown as z.ZodObject<S, z.core.$strict>;
