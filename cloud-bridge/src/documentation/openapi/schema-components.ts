import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, createSchemaReference } from './json-schema-type-and-references.ts';
import { toSingular } from './singular.ts';

const isUnbounded = (bound: number | undefined): boolean =>
  bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER;

const nullSchema: JsonSchema = { type: 'null' };

const isNull = ({ type }: JsonSchema): boolean => type === 'null';

const withoutDescription = ({ description: _, ...schema }: JsonSchema): JsonSchema => schema;

/** The description of the value is that of the field. */
const acceptNull = ({ description, ...schema }: JsonSchema): JsonSchema => ({
  ...(schema.$ref === undefined && typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, nullSchema] }),
  ...(description === undefined ? {} : { description }),
});

/** An item has the description of its component. */
const withoutRepeatedDescription = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : withoutDescription(schema);

/** Generators make a field with a `default` required, so the description names it. Empty defaults say nothing. */
const withDefaultInWords = ({ default: initial, description, ...schema }: JsonSchema): JsonSchema => {
  const isEmpty = initial === undefined || initial === null || ['""', '[]', '{}'].includes(JSON.stringify(initial));
  const texts = [description ?? [], isEmpty ? [] : `Default: ${JSON.stringify(initial)}`].flat();
  return texts.length === 0 ? schema : { ...schema, description: texts.join('. ') };
};

/** A record with known keys, as an object with optional properties. */
const withKnownKeys = (schema: JsonSchema): JsonSchema => {
  const { propertyNames, additionalProperties, ...rest } = schema;
  if (propertyNames === undefined) return schema;
  if (propertyNames.enum === undefined || typeof additionalProperties !== 'object')
    return { ...rest, additionalProperties: additionalProperties ?? true };
  const properties = propertyNames.enum.map(name => [String(name), additionalProperties]);
  return {
    ...rest,
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
    additionalProperties: false,
  };
};

/**
 * The named schemas of a document. Every object with properties and every list of values becomes a component, so that
 * generators give it one name: `device_status` for the field `status` of `device`, `gadget_action` for the items of its
 * `actions`, or the title of the schema if it has one. Equal
 * lists of values without a title share a component.
 */
export class SchemaComponents {
  readonly #schemas = new Map<string, JsonSchema>();

  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#schemas);
  }

  /** Adds the schema under the name, even if it is neither an object nor a list of values. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const { title: _, ...component } = this.#normalize(schema, name);
    return this.#register(name, component);
  }

  /** The schema with references to the components that it contains. */
  describe(schema: JsonSchema, name: string): JsonSchema {
    const described = this.#normalize(schema, name);
    const isNamed = described.enum !== undefined || Object.keys(described.properties ?? {}).length > 0;
    if (!isNamed) return described;
    const { title, default: initial, ...component } = described;
    const { description } = component;
    const shared = title === undefined ? this.#findValues(component.enum) : undefined;
    const reference = shared ?? this.#register(title ?? name, component);
    return {
      ...reference,
      ...(initial === undefined ? {} : { default: initial }),
      ...(description === undefined ? {} : { description }),
    };
  }

  #register(name: string, schema: JsonSchema): JsonSchema {
    const existing = this.#schemas.get(name);
    if (existing !== undefined && !isDeepStrictEqual(withoutDescription(existing), withoutDescription(schema)))
      throw new Error(`Two different schemas have the name ${name}. Give one of them another title`);
    // Fields that share a component have their own descriptions. The first one is that of the component.
    this.#schemas.set(name, existing?.description === undefined ? schema : existing);
    return createSchemaReference(name);
  }

  #findValues(values: JsonSchema['enum']): JsonSchema | undefined {
    if (values === undefined) return undefined;
    for (const [name, schema] of this.#schemas)
      if (isDeepStrictEqual(schema.enum, values)) return createSchemaReference(name);
    return undefined;
  }

  #normalize(schema: JsonSchema, name: string): JsonSchema {
    if (schema.$ref !== undefined) return schema;
    const { $schema: _, $id: __, id: ___, ...known } = withKnownKeys(schema) as JsonSchema & Record<string, unknown>;
    const { anyOf, properties, items, additionalProperties, minimum, maximum, description, ...rest } =
      known as JsonSchema;
    return {
      ...rest,
      ...(isUnbounded(minimum) ? {} : { minimum: minimum! }),
      ...(isUnbounded(maximum) ? {} : { maximum: maximum! }),
      ...(anyOf === undefined ? {} : this.#alternatives(anyOf, name, description)),
      ...(description === undefined ? {} : { description }),
      ...(properties === undefined
        ? {}
        : {
            properties: Object.fromEntries(
              Object.entries(properties).map(([field, property]) => [
                field,
                this.describe(withDefaultInWords(property), `${name}_${field.replaceAll(/\W/g, '_')}`),
              ]),
            ),
          }),
      ...(typeof items === 'object'
        ? { items: withoutRepeatedDescription(this.describe(items, toSingular(name))) }
        : {}),
      ...this.#openness(additionalProperties, name),
    };
  }

  /** Objects accept unknown fields unless the schema says otherwise, as in JSON Schema. */
  #openness(additionalProperties: JsonSchema['additionalProperties'], name: string): JsonSchema {
    if (typeof additionalProperties !== 'object') return additionalProperties === false ? { additionalProperties } : {};
    return Object.keys(additionalProperties).length === 0
      ? {}
      : { additionalProperties: withoutRepeatedDescription(this.describe(additionalProperties, `${name}_value`)) };
  }

  /** A value that may be null has the description of its field. */
  #alternatives(anyOf: readonly JsonSchema[], name: string, description: string | undefined): JsonSchema {
    const values = anyOf.filter(option => !isNull(option));
    const inherited = values.length === 1 && description !== undefined ? { description } : {};
    const options = values.map(option => this.describe({ ...inherited, ...option }, name));
    const [first, second] = options;
    if (first !== undefined && second === undefined) return anyOf.some(isNull) ? acceptNull(first) : first;
    return { anyOf: [...options.map(withoutRepeatedDescription), ...(anyOf.some(isNull) ? [nullSchema] : [])] };
  }
}
