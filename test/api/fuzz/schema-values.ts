import type { JsonSchema } from '@lintel/cloud-bridge/testing';
import * as fc from 'fast-check';
import { hostileJson, hostileText } from './hostile-values.ts';

/** A placeholder for an id with this prefix from an earlier response. It is resolved when the request is sent. */
export interface IdReference {
  readonly idPrefix: string;
  readonly pick: number;
}

export const idReference = (prefix: string): fc.Arbitrary<unknown> =>
  fc.nat().map(pick => ({ idPrefix: prefix, pick }) satisfies IdReference);

const ID_PATTERN = /^\^([a-z]+_)\[/;

const someTime = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2032-01-01'), noInvalidDate: true })
  .map(date => date.toISOString());

const someText = ({ format, pattern, maxLength = 30, minLength = 0 }: JsonSchema): fc.Arbitrary<unknown> => {
  const prefix = ID_PATTERN.exec(pattern ?? '')?.[1];
  if (prefix !== undefined) return idReference(prefix);
  if (format === 'date-time') return someTime;
  if (format === 'uri') return fc.constantFrom('http://hook.invalid/x', 'https://hook.invalid:8443/y?z=1');
  if (format === 'email') return fc.emailAddress();
  if (pattern !== undefined) return fc.oneof(fc.stringMatching(/^[0-9]{4,8}$/), fc.stringMatching(/^[0-9a-f]{14}$/));
  return fc.string({ minLength, maxLength: Math.min(Math.max(maxLength, minLength), 40) });
};

const typed = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { type, enum: values, anyOf, minimum, maximum } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (values !== undefined) return fc.constantFrom(...values);
  if (anyOf !== undefined && anyOf.length > 0) return fc.oneof(...anyOf.map(arbitraryFromSchema));
  const [first] = [type].flat().filter(one => one !== 'null');
  switch (first) {
    case 'string':
      return someText(schema);
    case 'integer':
      return fc.integer({ min: Math.max(minimum ?? 0, -1000), max: Math.min(maximum ?? 100_000, 100_000) });
    case 'number':
      return fc.double({ min: minimum ?? -200, max: maximum ?? 200, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const { minItems = 0, maxItems = 3 } = schema;
      const item = typeof schema.items === 'object' ? arbitraryFromSchema(schema.items) : hostileJson;
      return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) });
    }
    case 'object':
      return fields(schema);
    default:
      return hostileJson;
  }
};

const fields = ({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> => {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, arbitraryFromSchema(property)])),
    { requiredKeys: [...required] },
  );
  if (typeof additionalProperties !== 'object') return known;
  return fc.dictionary(
    fc.oneof(fc.constantFrom('source', 'sourceID'), hostileText),
    arbitraryFromSchema(additionalProperties),
    {
      maxKeys: 3,
    },
  );
};

/** Mostly values of the schema, and sometimes hostile ones. */
export const arbitraryFromSchema = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 24, arbitrary: typed(schema) }, { weight: 1, arbitrary: hostileJson });
