import type { CsvRow } from '../../csv/parse-csv.ts';
import { parseDateTimeLocalValue } from '../../time/date-time-local-value.ts';

export const memberImportFields = ['name', 'starts_at', 'ends_at', 'email', 'groups'] as const;
type ImportField = (typeof memberImportFields)[number];

/** The column of each field; null for a field that the file does not have. */
export type MemberImportColumnMapping = Readonly<Record<ImportField, number | null>>;

export interface MemberToImport {
  readonly line: number;
  readonly name: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly emails: readonly string[];
  readonly groupIds: readonly string[];
}

export interface MemberImportRowError {
  readonly line: number;
  readonly problem: 'name' | 'date' | 'order' | 'email' | 'group';
  readonly text: string;
}

interface ImportContext {
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  /** Times without an offset are those of the site. */
  readonly zone: string;
}

const aliases: Readonly<Record<ImportField, RegExp>> = {
  name: /^(full ?)?name|nombre/i,
  starts_at: /^(starts?_?(at)?|from|check.?in|arrival|von|beginn|anreise|desde|entrada)$/i,
  ends_at: /^(ends?_?(at)?|until|to|check.?out|departure|bis|ende|abreise|hasta|salida)$/i,
  email: /^(e-?mails?( address)?|correo)/i,
  groups: /^(groups?|rooms?|gruppen?|zimmer|grupos?|habitaci)/i,
};

/** Finds the columns by their usual names. */
export const guessMemberImportColumns = (header: readonly string[]): MemberImportColumnMapping =>
  Object.fromEntries(
    memberImportFields.map(field => {
      const index = header.findIndex(name => aliases[field].test(name.trim()));
      return [field, index === -1 ? null : index];
    }),
  ) as MemberImportColumnMapping;

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Undefined if the text is not a date. */
const parseTime = (text: string, zone: string): string | null | undefined => {
  if (text === '') return null;
  const [, day, time = '00:00', offset] = DATE.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (offset === undefined) return parseDateTimeLocalValue(`${day}T${time}`, zone) ?? undefined;
  const at = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

const split = (text: string): readonly string[] =>
  text
    .split(/[;|]/)
    .map(part => part.trim())
    .filter(part => part !== '');

const planRow = (
  { line, cells }: CsvRow,
  columns: MemberImportColumnMapping,
  context: ImportContext,
): MemberToImport | MemberImportRowError => {
  const textOf = (field: ImportField): string => {
    const column = columns[field];
    return column === null ? '' : (cells[column] ?? '').trim();
  };
  const error = (problem: MemberImportRowError['problem'], text: string): MemberImportRowError => ({
    line,
    problem,
    text,
  });
  const name = textOf('name');
  if (name === '') return error('name', '');
  const starts_at = parseTime(textOf('starts_at'), context.zone);
  const ends_at = parseTime(textOf('ends_at'), context.zone);
  if (starts_at === undefined) return error('date', textOf('starts_at'));
  if (ends_at === undefined) return error('date', textOf('ends_at'));
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) return error('order', textOf('ends_at'));
  const emails = split(textOf('email'));
  const wrongEmail = emails.find(email => !/^[^@\s]+@[^@\s]+$/.test(email));
  if (wrongEmail !== undefined) return error('email', wrongEmail);
  const groupNames = split(textOf('groups'));
  const idOf = (group: string): string | undefined =>
    context.groups.find(one => one.name.toLowerCase() === group.toLowerCase())?.id;
  const unknown = groupNames.find(group => idOf(group) === undefined);
  if (unknown !== undefined) return error('group', unknown);
  return { line, name, starts_at, ends_at, emails, groupIds: groupNames.flatMap(group => idOf(group) ?? []) };
};

/** What an import would create, and every line that is wrong. */
export const planMemberImport = (
  rows: readonly CsvRow[],
  columns: MemberImportColumnMapping,
  context: ImportContext,
) => {
  const planned = rows.map(row => planRow(row, columns, context));
  return {
    members: planned.filter((one): one is MemberToImport => !('problem' in one)),
    errors: planned.filter((one): one is MemberImportRowError => 'problem' in one),
  };
};
