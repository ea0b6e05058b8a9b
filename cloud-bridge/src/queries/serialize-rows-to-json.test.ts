import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resourceTableMappings } from './resource-table-mappings.ts';
import { toJson } from './serialize-rows-to-json.ts';
import { createIsoTimeFormatter } from './iso-time-formatter.ts';

/** Any code point. The unit `binary` of fast-check takes a second to prepare. */
const character = fc.integer({ min: 0, max: 0x10ffff }).map(codePoint => String.fromCodePoint(codePoint));
const text = fc.oneof(
  fc.string({ unit: character }),
  fc.constantFrom('"', '\\', '\n', '\u0000', '\ud800', 'é', '🔑', ''),
);
const columns = {
  id: text,
  string: text,
  number: fc.integer(),
  boolean: fc.constantFrom(0, 1),
  instant: fc.integer({ min: -8.64e15, max: 8.64e15 }),
  json: fc.jsonValue().map(value => JSON.stringify(value)),
  ids: fc.array(text).map(value => JSON.stringify(value)),
} as const;

describe('toJsonTexts', () => {
  it('equals JSON.stringify of toObjects for every resource type', () => {
    const types = Object.keys(resourceTableMappings).filter(type => type !== 'event') as Array<
      Exclude<keyof typeof resourceTableMappings, 'event'>
    >;
    expect(types.length).toBeGreaterThan(15);
    for (const type of types) {
      const row = fc.record(
        Object.fromEntries(
          Object.entries(resourceDefinitions[type].fields).map(([name, { kind, nullable }]) => [
            name,
            nullable ? fc.option(columns[kind] as fc.Arbitrary<unknown>) : (columns[kind] as fc.Arbitrary<unknown>),
          ]),
        ),
      );
      fc.assert(
        fc.property(row, row => {
          expect(resourceTableMappings[type].toJsonTexts([row])).toEqual(
            resourceTableMappings[type].toObjects([row]).map(object => JSON.stringify(object)),
          );
        }),
        { numRuns: 30 },
      );
    }
  });
});

describe('toJson', () => {
  it('writes values that are deeper than the stack like JSON.stringify', () => {
    const inner = { list: [1, 'é"', null, undefined, {}, []], left_out: undefined, nested: { flag: true } };
    let deep: unknown = inner;
    for (let level = 0; level < 20_000; level++) deep = { a: [deep] };
    const text = '{"a":['.repeat(20_000) + JSON.stringify(inner) + ']}'.repeat(20_000);
    expect(toJson(deep) === text).toBe(true);
  });
});

describe('createIsoTimeFormatter', () => {
  it('agrees with Date.toISOString from the first to the last representable time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -8.64e15, max: 8.64e15 }), { maxLength: 5 }), times => {
        const isoTime = createIsoTimeFormatter();
        for (const time of times) {
          for (const at of [time, Math.min(time + 1, 8.64e15)]) expect(isoTime(at)).toBe(new Date(at).toISOString());
        }
      }),
    );
    const isoTime = createIsoTimeFormatter();
    for (const at of [0, -1, 86_399_999, 86_400_000]) expect(isoTime(at)).toBe(new Date(at).toISOString());
  });
});
