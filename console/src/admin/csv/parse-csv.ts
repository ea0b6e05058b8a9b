export interface CsvRow {
  /** Counted from 1, as spreadsheets do. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface CsvError {
  readonly line: number;
  /** `quote`: text after a closing quote, or no closing quote; `encoding`: the file is not UTF-8. */
  readonly problem: 'quote' | 'encoding';
}

export interface CsvContent {
  readonly rows: readonly CsvRow[];
  /** Why the rest of the file could not be read. */
  readonly error: CsvError | null;
}

const LINE_END = /\r\n|\r|\n/g;

/** A replacement character stands for bytes that are not UTF-8; UTF-16 read as UTF-8 has zeros. */
const UNREADABLE = /[\uFFFD\0]/;

const countLineEnds = (text: string): number => text.match(LINE_END)?.length ?? 0;

/** Spreadsheets separate by commas, by semicolons in some languages, or by tabs. */
const separatorOf = (text: string): string => {
  const [header = ''] = /[^\r\n]+/.exec(text.replaceAll(/"(?:[^"]|"")*"/g, '')) ?? [];
  const countOf = (separator: string): number => header.split(separator).length;
  return ['\t', ';', ','].reduce((best, other) => (countOf(other) > countOf(best) ? other : best));
};

/** Cells in quotes may contain separators, line breaks and doubled quotes. Empty lines are left out. */
export const parseCsv = (content: string): CsvContent => {
  const text = content.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const quotedCell = ' *"([^"]*(?:""[^"]*)*)" *';
  const plainCell = `(?! *")([^${separator}\\r\\n]*)`;
  const cell = new RegExp(`(?:${quotedCell}|${plainCell})(${separator}|\\r\\n|\\r|\\n|$)`, 'y');
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let first = 1;
  const endRow = (): void => {
    if (cells.some(one => one !== '')) rows.push({ line: first, cells });
    cells = [];
    first = line;
  };
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) return { rows, error: { line, problem: 'quote' } };
    const [whole, quoted, plain = '', end] = match;
    if (UNREADABLE.test(whole)) return { rows, error: { line, problem: 'encoding' } };
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += countLineEnds(whole);
    if (end !== separator) endRow();
  }
  endRow();
  return { rows, error: null };
};
