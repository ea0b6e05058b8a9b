import { CHECK_IN_HOUR, CHECK_OUT_HOUR } from '../../stay/check-in-and-out.ts';
import type { CsvRow } from '../../csv/parse-csv.ts';
import { type DateOrder, findDateOrder, parseImportedDate } from './imported-date.ts';

export const memberImportFields = ['name', 'starts_at', 'ends_at', 'email', 'groups', 'pin'] as const;
type ImportField = (typeof memberImportFields)[number];

/** The column of each field; null for a field that the file does not have. */
export type MemberImportColumnMapping = Readonly<Record<ImportField, number | null>>;

/** As the bridge takes it. */
export interface MemberToImport {
  readonly line: number;
  readonly name: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly emails: readonly string[];
  readonly member_group_ids: readonly string[];
  readonly pin: string | null;
}

export interface ImportProblem {
  readonly problem: 'name' | 'date' | 'order' | 'email' | 'group' | 'pin' | 'pin_in_use';
  readonly text: string;
}

/** A line of the file with what it means, or why it cannot be imported. */
export interface PlannedLine {
  readonly line: number;
  readonly cells: readonly string[];
  readonly name: string;
  readonly groupNames: readonly string[];
  readonly planned: MemberToImport | ImportProblem;
}

interface ImportContext {
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  /** Times without an offset are those of the site. */
  readonly zone: string;
  readonly order: DateOrder;
}

const aliases: Readonly<Record<ImportField, RegExp>> = {
  name: /^(full ?)?name|^guest$|^gast$|nombre|^huésped$/i,
  starts_at: /^(starts?_?(at)?|from|check.?in|arrival|von|beginn|anreise|desde|entrada)$/i,
  ends_at: /^(ends?_?(at)?|until|to|check.?out|departure|bis|ende|abreise|hasta|salida)$/i,
  email: /^(e-?mails?( address)?|correo)/i,
  groups: /^(groups?|rooms?|gruppen?|zimmer|grupos?|habitaci)/i,
  pin: /^pin( ?code)?$/i,
};

/** Finds the columns by their usual names. */
export const guessMemberImportColumns = (header: readonly string[]): MemberImportColumnMapping =>
  Object.fromEntries(
    memberImportFields.map(field => {
      const index = header.findIndex(name => aliases[field].test(name.trim()));
      return [field, index === -1 ? null : index];
    }),
  ) as MemberImportColumnMapping;

const cellOf = ({ cells }: CsvRow, columns: MemberImportColumnMapping, field: ImportField): string => {
  const column = columns[field];
  return column === null ? '' : (cells[column] ?? '').trim();
};

/** The order of day and month in the file; `unknown` if its dates do not tell. */
export const findOrderOfRows = (
  rows: readonly CsvRow[],
  columns: MemberImportColumnMapping,
): DateOrder | 'unknown' | null =>
  findDateOrder(rows.flatMap(row => [cellOf(row, columns, 'starts_at'), cellOf(row, columns, 'ends_at')]));

const split = (text: string, separator: RegExp): readonly string[] =>
  text
    .split(separator)
    .map(part => part.trim())
    .filter(part => part !== '');

/** `PIN 0042` is how the result of an import writes a PIN, so that a spreadsheet keeps its zeros. */
const digitsOf = (text: string): string => text.replace(/^PIN\b/i, '').replaceAll(/\s/g, '');

const planRow = (row: CsvRow, columns: MemberImportColumnMapping, context: ImportContext): PlannedLine['planned'] => {
  const textOf = (field: ImportField): string => cellOf(row, columns, field);
  const name = textOf('name');
  if (name === '') return { problem: 'name', text: '' };
  const dateOf = (field: 'starts_at' | 'ends_at', hour: number): string | null | undefined =>
    parseImportedDate(textOf(field), { ...context, hour });
  const starts_at = dateOf('starts_at', CHECK_IN_HOUR);
  const ends_at = dateOf('ends_at', CHECK_OUT_HOUR);
  if (starts_at === undefined) return { problem: 'date', text: textOf('starts_at') };
  if (ends_at === undefined) return { problem: 'date', text: textOf('ends_at') };
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at)
    return { problem: 'order', text: textOf('ends_at') };
  const emails = split(textOf('email'), /[;|,\s]/);
  const wrongEmail = emails.find(email => !/^[^@\s]+@[^@\s]+$/.test(email));
  if (wrongEmail !== undefined) return { problem: 'email', text: wrongEmail };
  const groupIds: string[] = [];
  for (const group of split(textOf('groups'), /[;|]/)) {
    const found = context.groups.find(one => one.name.trim().toLowerCase() === group.toLowerCase());
    if (found === undefined) return { problem: 'group', text: group };
    if (!groupIds.includes(found.id)) groupIds.push(found.id);
  }
  const pin = digitsOf(textOf('pin'));
  if (pin !== '' && !/^\d{4,20}$/.test(pin)) return { problem: 'pin', text: '' };
  const member_group_ids = groupIds;
  return { line: row.line, name, starts_at, ends_at, emails, member_group_ids, pin: pin === '' ? null : pin };
};

/** What each line of the file means. */
export const planMemberImport = (
  rows: readonly CsvRow[],
  columns: MemberImportColumnMapping,
  context: ImportContext,
): readonly PlannedLine[] =>
  rows.map(row => ({
    line: row.line,
    cells: row.cells,
    name: cellOf(row, columns, 'name'),
    groupNames: split(cellOf(row, columns, 'groups'), /[;|]/),
    planned: planRow(row, columns, context),
  }));

export const isProblem = (planned: PlannedLine['planned']): planned is ImportProblem => 'problem' in planned;
