import type { ResourceField } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { createIsoTimeFormatter, type IsoTimeFormatter } from './iso-time-formatter.ts';

export type DatabaseRow = Readonly<Record<string, unknown>>;

/** A response that is already serialized. */
export class SerializedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const literal = (text: string): SerializedJson => new SerializedJson(text);

/** Slower than `JSON.stringify`, but without a limit on the depth. */
const stringifyDeep = (root: unknown): string => {
  let text = '';
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (value instanceof SerializedJson) {
      text += value.text;
    } else if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value) ?? 'null';
    } else {
      const isList = Array.isArray(value);
      const entries = Object.entries(value).filter(([, inner]) => isList || inner !== undefined);
      text += isList ? '[' : '{';
      waiting.push(literal(isList ? ']' : '}'));
      for (const [index, [key, inner]] of entries.entries().toArray().reverse()) {
        waiting.push(inner, literal(`${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(key)}:`}`));
      }
    }
  }
  return text;
};

export const toJson = (value: unknown): string => {
  if (value instanceof SerializedJson) return value.text;
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Deep expands exceed the stack.
    if (!(error instanceof RangeError)) throw error;
    return stringifyDeep(value);
  }
};

/** Characters that JSON must escape, including lone surrogates. */
const MUST_ESCAPE = /["\\\p{Cc}\p{Cs}]/u;

const quote = (text: string): string => (MUST_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`);

type Write = (value: unknown, time: IsoTimeFormatter) => string;

/** JSON columns are written by `JSON.stringify`, so they are copied unchanged. */
const asStored: Write = value => value as string;

const writers: Readonly<Record<ResourceField['kind'], Write>> = {
  id: value => quote(value as string),
  string: value => quote(value as string),
  number: value => String(value),
  boolean: value => (value === 1 ? 'true' : 'false'),
  instant: (value, time) => `"${time(value as number)}"`,
  json: asStored,
  ids: asStored,
};

/** Serializes rows directly to JSON, because creating objects first would be most of the cost of a list. */
export const createRowSerializer = (
  fields: Readonly<Record<string, ResourceField>>,
): ((rows: readonly DatabaseRow[]) => string[]) => {
  const steps = Object.entries(fields).map(([name, { kind }], index) => ({
    name,
    lead: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    write: writers[kind],
  }));
  const time = createIsoTimeFormatter();
  return rows =>
    rows.map(row => {
      let text = '';
      for (const { name, lead, write } of steps) {
        const value = row[name];
        text += lead + (value === null ? 'null' : write(value, time));
      }
      return `${text}}`;
    });
};
