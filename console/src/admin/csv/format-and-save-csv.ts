/** A spreadsheet would run a cell that begins like a formula. */
const toCell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export const formatCsv = (rows: readonly (readonly string[])[], separator = ','): string =>
  rows.map(row => row.map(toCell).join(separator)).join('\r\n');

/** Of spreadsheets in this region: those that write a decimal comma separate by semicolons. */
const separatorOf = (locale: string): string => (new Intl.NumberFormat(locale).format(0.5).includes(',') ? ';' : ',');

/** With a byte order mark, without which spreadsheets misread letters such as ü. */
export const formatSpreadsheetCsv = (rows: readonly (readonly string[])[], locale: string): string =>
  `\uFEFF${formatCsv(rows, separatorOf(locale))}`;

/** Saves a file with this content on the computer of the user. */
export const saveAsDownload = (name: string, type: string, content: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
