import { formatSpreadsheetCsv, saveAsDownload } from '../../csv/format-and-save-csv.ts';
import type { AdminMessages } from '../../messages/en.ts';
import { CHECK_IN_HOUR } from '../../stay/check-in-and-out.ts';
import { memberImportFields } from './import-plan.ts';

interface FileContext {
  readonly messages: AdminMessages;
  readonly locale: string;
}

const save = (name: string, rows: readonly (readonly string[])[], { locale }: FileContext): void =>
  saveAsDownload(name, 'text/csv', formatSpreadsheetCsv(rows, locale));

const DAY_MS = 86_400_000;

/** A file to fill in, with an example in the date form of the region. */
export const saveImportTemplate = (context: FileContext, now: number, group: string | undefined): void => {
  const { fields, templateFile, templateExample: example } = context.messages.memberImport;
  const dateOf = (days: number): string =>
    new Intl.DateTimeFormat(context.locale, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(
      now + days * DAY_MS,
    );
  const header = memberImportFields.map(field => fields[field]);
  const from = `${dateOf(1)} ${CHECK_IN_HOUR}:00`;
  save(templateFile, [header, [example.name, from, dateOf(4), example.email, group ?? example.group, '']], context);
};

/** The lines that are not imported, as they were, each with the reason. */
export const saveOtherLines = (
  header: readonly string[],
  lines: readonly { readonly cells: readonly string[]; readonly reason: string }[],
  context: FileContext,
): void => {
  const padded = (cells: readonly string[]): string[] => header.map((_, index) => cells[index] ?? '');
  const { reason } = context.messages.memberImport;
  save(
    'members-not-imported.csv',
    [[...header, reason], ...lines.map(one => [...padded(one.cells), one.reason])],
    context,
  );
};

export interface ImportedPerson {
  readonly line: number;
  readonly member_id: string;
  readonly name: string;
  readonly validity: string;
  readonly groupNames: readonly string[];
  readonly pin: string | null;
  readonly link: string | null;
}

/** A spreadsheet would drop the zeros at the beginning of a cell with digits alone. */
const writePin = (pin: string | null): string => (pin === null ? '' : `PIN ${pin}`);

export const saveImportResult = (people: readonly ImportedPerson[], context: FileContext): void => {
  const { fields, link } = context.messages.memberImport;
  const rows = people.map(one => [
    one.name,
    one.validity,
    one.groupNames.join('; '),
    writePin(one.pin),
    one.link ?? '',
  ]);
  save(
    'members-imported.csv',
    [[fields.name, context.messages.stay.dates, fields.groups, fields.pin, link], ...rows],
    context,
  );
};
