/** Comments around lines that Lintel adds to a file. */
export interface BlockMarkers {
  readonly begin: string;
  readonly end: string;
}

export const detectLineBreak = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

export const splitLines = (text: string): string[] => {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

export const removeMarkedBlock = (lines: readonly string[], { begin, end }: BlockMarkers): string[] => {
  const from = lines.findIndex(line => line.trim() === begin);
  if (from === -1) return [...lines];
  const to = lines.findIndex((line, at) => at > from && line.trim() === end);
  // Without an end mark the block was truncated: only the begin mark is certainly from Lintel.
  return to === -1 ? lines.filter((_, at) => at !== from) : [...lines.slice(0, from), ...lines.slice(to + 1)];
};
