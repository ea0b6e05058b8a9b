import { truncateEcho } from '@lintel/wire-protocol/rest/base-api-error';
import { cardPrintedCodeSchema } from '@lintel/wire-protocol/rest/card';
import { stableCardUidSchema } from '@lintel/wire-protocol/rest/card-uid';
import { nameTextSchema } from '@lintel/wire-protocol/schema-parts/plain-text';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import * as z from 'zod';
import { type ApiError, createInvalidFieldError } from '../http/api-error.ts';

const row = z.strictObject({
  printed_code: cardPrintedCodeSchema,
  uid: stableCardUidSchema,
  name: nameTextSchema().default(''),
});
export type StockCardCsvRow = z.infer<typeof row>;

const MOST_CARDS = 10_000;

export const createLineError = (line: number, message: string): ApiError =>
  createInvalidFieldError('csv', `has an error in line ${line}: ${message}`, { line: String(line) });

/** Fields in quotes may contain the separator and doubled quotes, but no line breaks. */
const splitFields = (text: string, separator: string): string[] =>
  Array.from(
    `${separator}${text}`.matchAll(new RegExp(`${separator}(?:"((?:[^"]|"")*)"|([^${separator}]*))`, 'g')),
    ([, quoted, plain = '']) => (quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"')),
  );

/** Spreadsheets of some languages separate by semicolons. */
const separatorOf = (header: string): string => (header.includes(';') ? ';' : ',');

export interface CardStockCsvLineError {
  readonly line: number;
  readonly message: string;
}

export interface ParsedCardStockCsv {
  readonly cards: readonly (StockCardCsvRow & { readonly line: number })[];
  readonly errors: readonly CardStockCsvLineError[];
}

/** Columns `printed_code`, `uid` and, optionally, `name`, in any order. The first line names them. */
export const parseCardStockCsvWithErrors = (csv: string): ParsedCardStockCsv => {
  const [header = '', ...lines] = csv.replace(/^\uFEFF/, '').split(/\r?\n/);
  const separator = separatorOf(header);
  const columns = splitFields(header, separator).map(name => name.toLowerCase());
  if (!columns.includes('printed_code') || !columns.includes('uid'))
    return { cards: [], errors: [{ line: 1, message: 'the first line must name the columns printed_code and uid' }] };
  const unknown = columns.find(column => !Object.hasOwn(row.shape, column));
  if (unknown !== undefined)
    return { cards: [], errors: [{ line: 1, message: `unknown column: ${truncateEcho(unknown)}` }] };
  if (lines.filter(text => text.trim() !== '').length > MOST_CARDS)
    throw createInvalidFieldError('csv', `must have at most ${MOST_CARDS} cards`);
  const cards: ParsedCardStockCsv['cards'][number][] = [];
  const errors: CardStockCsvLineError[] = [];
  for (const [index, text] of lines.entries()) {
    const line = index + 2;
    if (text.trim() === '') continue;
    const fields = splitFields(text, separator);
    const parsed = parseWithSchema(row, Object.fromEntries(columns.map((column, at) => [column, fields[at]])));
    if (fields.length !== columns.length) errors.push({ line, message: `expected ${columns.length} fields` });
    else if (parsed.ok) cards.push({ ...parsed.value, line });
    else {
      const message = parsed.problems.map(found => `${found.path} ${found.message}`).join('; ');
      errors.push({ line, message });
    }
  }
  return { cards, errors };
};

/** Rejects a file with an error as a whole. */
export const parseValidCardStockCsv = (csv: string): ParsedCardStockCsv['cards'] => {
  const { cards, errors } = parseCardStockCsvWithErrors(csv);
  const [first] = errors;
  if (first !== undefined) throw createLineError(first.line, first.message);
  return cards;
};
