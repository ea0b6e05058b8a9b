import type { Field } from '@lintel/wire-protocol/rest/resource-fields';
import { isoTimeFormat, type TimeFormat } from './iso-time.ts';

export type Row = Readonly<Record<string, unknown>>;

/** An answer that is JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const jsonOf = (answer: unknown): string => (answer instanceof JsonText ? answer.text : JSON.stringify(answer));

/** What JSON has to escape; a surrogate may be half a pair. */
const TO_ESCAPE = /["\\\p{Cc}\p{Cs}]/u;

const quoted = (text: string): string => (TO_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`);

type Write = (value: unknown, time: TimeFormat) => string;

/** JSON columns hold what `JSON.stringify` made, so they go out as they are. */
const asStored: Write = value => value as string;

const writers: Readonly<Record<Field['kind'], Write>> = {
  id: value => quoted(value as string),
  string: value => quoted(value as string),
  number: value => String(value),
  boolean: value => (value === 1 ? 'true' : 'false'),
  instant: (value, time) => `"${time(value as number)}"`,
  json: asStored,
  ids: asStored,
};

/** Rows as the API shows them, without objects in between: making those would be most of the cost of a list. */
export const textMapper = (fields: Readonly<Record<string, Field>>): ((rows: readonly Row[]) => string[]) => {
  const steps = Object.entries(fields).map(([name, { kind }], index) => ({
    name,
    lead: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    write: writers[kind],
  }));
  return rows => {
    const time = isoTimeFormat();
    return rows.map(row => {
      let text = '';
      for (const { name, lead, write } of steps) {
        const value = row[name];
        text += lead + (value === null ? 'null' : write(value, time));
      }
      return `${text}}`;
    });
  };
};
