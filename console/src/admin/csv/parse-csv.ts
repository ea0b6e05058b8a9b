export interface CsvRow {
  /** Counted from 1, as spreadsheets do. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Spreadsheets of some languages separate by semicolons. */
const separatorOf = (text: string): string => ((/^[^\r\n]*/.exec(text)?.[0] ?? '').includes(';') ? ';' : ',');

/** Cells in quotes may contain separators, line breaks and doubled quotes. Empty lines are left out. */
export const parseCsv = (content: string): readonly CsvRow[] => {
  const text = content.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'y');
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let first = 1;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    // Text after a closing quote: the rest of the line cannot be read as cells.
    if (match === null) break;
    const [whole, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (end !== separator) {
      if (cells.some(one => one !== '')) rows.push({ line: first, cells });
      cells = [];
      first = line;
    }
  }
  if (cells.some(one => one !== '')) rows.push({ line: first, cells });
  return rows;
};
