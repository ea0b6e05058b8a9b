/** A spreadsheet would run a cell that begins like a formula. */
const toCell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => row.map(toCell).join(',')).join('\r\n');

/** Saves a file with this content on the computer of the user. */
export const saveAsDownload = (name: string, type: string, content: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
